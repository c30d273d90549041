import { Context, Effect, Layer, Option } from "effect";
import {
  CREDENTIAL_CAUSES,
  HostAdmission,
  type HostLimited,
  type ProbeResult,
  ServerProbe,
} from "../accounts/index.ts";
import { isVerified, refusedVerification, type Verification } from "../accounts/neighbours.ts";
import type { FoundCredential, MailCredential } from "../auth/index.ts";
import type { AccountServers, MailServer } from "../mail/index.ts";
import { AccessTokens, type GrantRefused } from "../oauth/index.ts";
import { type TokenError } from "../oauth/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";

/** How many candidates are tried for an account whose servers were not given. */
const MAX_TRIED = 3;

type StoredTokenError = Exclude<TokenError, GrantRefused>;

/** Verifies that an account's servers accept a new or the stored credential (spec 10.3). */
export class AccountVerification extends Context.Service<
  AccountVerification,
  {
    /** Signs in at both servers: at once with a password, one after the other with a token. */
    readonly check: (
      account: AccountId,
      servers: AccountServers,
      credential: MailCredential,
    ) => Effect.Effect<Verification, HostLimited | StoreUnavailable>;
    /**
     * Checks candidates, the best first, until both servers of a candidate accept the credential. If no candidate fits,
     * returns the result of the first, which is the most likely.
     */
    readonly choose: (
      account: AccountId,
      candidates: readonly [AccountServers, ...ReadonlyArray<AccountServers>],
      credential: MailCredential,
    ) => Effect.Effect<readonly [AccountServers, Verification], HostLimited | StoreUnavailable>;
    /** Returns the stored credential, refused or not; none for a grant that has ended. */
    readonly findStored: (
      account: AccountId,
      kept: FoundCredential,
    ) => Effect.Effect<Option.Option<MailCredential>, StoredTokenError>;
    /** Checks the stored credential. A refused token is replaced once, because it may have just expired. */
    readonly checkStored: (
      account: AccountId,
      kept: FoundCredential,
      servers: AccountServers,
    ) => Effect.Effect<Verification, HostLimited | StoreUnavailable | StoredTokenError>;
  }
>()("@postern/core/lifecycle/AccountVerification") {
  static readonly layer = Layer.effect(
    AccountVerification,
    Effect.gen(function* () {
      const probe = yield* ServerProbe;
      const hosts = yield* HostAdmission;
      const tokens = yield* AccessTokens;

      const check = Effect.fn("AccountVerification.check")(function* (
        account: AccountId,
        servers: AccountServers,
        credential: MailCredential,
      ) {
        const tryOut = (kind: "imap" | "smtp") =>
          Effect.andThen(hosts.admit(servers[kind], "request"), probe[kind](servers[kind], credential, account));
        const tryImap = tryOut("imap");
        const trySmtp = tryOut("smtp");
        const [imap, smtp] =
          credential._tag === "Password"
            ? yield* Effect.all([tryImap, trySmtp], { concurrency: 2 })
            : yield* Effect.flatMap(tryImap, (first) =>
                // The token may belong to another user: once a server refuses it, it is sent to no other server.
                Effect.map(isRefused(first) ? Effect.succeed(first) : trySmtp, (second) => [first, second] as const),
              );
        const at = ({ host, port }: MailServer, result: ProbeResult) => ({
          host,
          port,
          cause: result._tag === "Failed" ? result.cause : null,
        });
        return {
          imap: at(servers.imap, imap),
          smtp: at(servers.smtp, smtp),
          capabilities: imap._tag === "Accepted" ? imap.capabilities : [],
          present: imap._tag === "Accepted" ? imap.present : null,
          isUnclear: imap._tag === "Failed" && imap.isUnclear === true,
        };
      });

      const choose = Effect.fnUntraced(function* (
        account: AccountId,
        [best, ...others]: readonly [AccountServers, ...ReadonlyArray<AccountServers>],
        credential: MailCredential,
      ) {
        const first = [best, yield* check(account, best, credential)] as const;
        if (isVerified(first[1])) return first;
        for (const servers of others.slice(0, MAX_TRIED - 1)) {
          const verification = yield* check(account, servers, credential);
          if (isVerified(verification)) return [servers, verification] as const;
        }
        return first;
      });

      const findStored = (account: AccountId, kept: FoundCredential) =>
        kept._tag === "Password"
          ? Effect.succeedSome<MailCredential>(kept)
          : tokens.of(account).pipe(
              Effect.map((token) =>
                Option.some<MailCredential>({ _tag: "AccessToken", username: kept.username, token }),
              ),
              Effect.catchTag("GrantRefused", () => Effect.succeedNone),
            );

      const checkStored = Effect.fnUntraced(function* (
        account: AccountId,
        kept: FoundCredential,
        servers: AccountServers,
      ) {
        const credential = Option.getOrUndefined(yield* findStored(account, kept));
        if (credential === undefined) return refusedVerification(servers);
        const first = yield* check(account, servers, credential);
        const hasRefused = first.imap.cause !== null && CREDENTIAL_CAUSES.has(first.imap.cause);
        if (!hasRefused || credential._tag === "Password") return first;
        const isRenewed = yield* Effect.catchTag(tokens.renew(account, credential.token), "GrantRefused", () =>
          Effect.succeed(false),
        );
        const replacement = isRenewed ? yield* findStored(account, kept) : Option.none();
        return Option.isNone(replacement) ? first : yield* check(account, servers, replacement.value);
      });

      return AccountVerification.of({ check, choose, findStored, checkStored });
    }),
  );
}

const isRefused = (result: ProbeResult): boolean => result._tag === "Failed" && CREDENTIAL_CAUSES.has(result.cause);
