import { Context, Effect, Layer } from "effect";
import type { MailCredential } from "../auth/index.ts";
import type { AccountServers, MailServer } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { CREDENTIAL_CAUSES } from "./ConnectionCause.ts";
import type { HostLimited } from "./errors.ts";
import { HostAdmission } from "./HostAdmission.ts";
import { type ProbeResult, ServerProbe } from "./ports/ServerProbe.ts";
import { isVerified, type Verification } from "./Verification.ts";

/** How many candidates are tried for an account whose servers were not given. */
const TRIED = 3;

/** Verifies that an account's servers accept its credential (spec 10.3). */
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
     * Checks candidates, the best first, until both servers of one accept the credential. Returns the first one
     * otherwise: it is the most likely one.
     */
    readonly choose: (
      account: AccountId,
      candidates: readonly [AccountServers, ...ReadonlyArray<AccountServers>],
      credential: MailCredential,
    ) => Effect.Effect<readonly [AccountServers, Verification], HostLimited | StoreUnavailable>;
  }
>()("@postern/core/accounts/AccountVerification") {
  static readonly layer = Layer.effect(
    AccountVerification,
    Effect.gen(function* () {
      const probe = yield* ServerProbe;
      const hosts = yield* HostAdmission;

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
                // The token may be that of another user: a server that refuses it is the last to see it.
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
        for (const servers of others.slice(0, TRIED - 1)) {
          const verification = yield* check(account, servers, credential);
          if (isVerified(verification)) return [servers, verification] as const;
        }
        return first;
      });

      return AccountVerification.of({ check, choose });
    }),
  );
}

const isRefused = (result: ProbeResult): boolean => result._tag === "Failed" && CREDENTIAL_CAUSES.has(result.cause);
