import { Context, Effect, Layer, Option } from "effect";
import { AccountVerification, refusedVerification, type Verification } from "../accounts/neighbours.ts";
import { CREDENTIAL_CAUSES, type HostLimited } from "../accounts/index.ts";
import type { FoundCredential, MailCredential } from "../auth/index.ts";
import type { AccountServers } from "../mail/index.ts";
import { AccessTokens, type GrantRefused } from "../oauth/index.ts";
import { type TokenError } from "../oauth/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";

/** Shows the stored credential of an account, refused or not, to its mail servers. */
export class StoredCredentials extends Context.Service<
  StoredCredentials,
  {
    /** Returns the credential; none for a grant that has ended. */
    readonly find: (
      account: AccountId,
      kept: FoundCredential,
    ) => Effect.Effect<Option.Option<MailCredential>, Exclude<TokenError, GrantRefused>>;
    /** Verifies the credential. A refused token is replaced once, as it may have expired on its way. */
    readonly verify: (
      account: AccountId,
      kept: FoundCredential,
      servers: AccountServers,
    ) => Effect.Effect<Verification, HostLimited | StoreUnavailable | Exclude<TokenError, GrantRefused>>;
  }
>()("@postern/core/lifecycle/StoredCredentials") {
  static readonly layer = Layer.effect(
    StoredCredentials,
    Effect.gen(function* () {
      const tokens = yield* AccessTokens;
      const verification = yield* AccountVerification;

      const find = (account: AccountId, kept: FoundCredential) =>
        kept._tag === "Password"
          ? Effect.succeedSome<MailCredential>(kept)
          : tokens.of(account).pipe(
              Effect.map((token) =>
                Option.some<MailCredential>({ _tag: "AccessToken", username: kept.username, token }),
              ),
              Effect.catchTag("GrantRefused", () => Effect.succeedNone),
            );

      const verify = Effect.fnUntraced(function* (account: AccountId, kept: FoundCredential, servers: AccountServers) {
        const credential = Option.getOrUndefined(yield* find(account, kept));
        if (credential === undefined) return refusedVerification(servers);
        const checked = yield* verification.check(account, servers, credential);
        const isRefused = checked.imap.cause !== null && CREDENTIAL_CAUSES.has(checked.imap.cause);
        if (!isRefused || credential._tag === "Password") return checked;
        const isRenewed = yield* Effect.catchTag(tokens.renew(account, credential.token), "GrantRefused", () =>
          Effect.succeed(false),
        );
        const replacement = isRenewed ? yield* find(account, kept) : Option.none();
        return Option.isNone(replacement) ? checked : yield* verification.check(account, servers, replacement.value);
      });

      return StoredCredentials.of({ find, verify });
    }),
  );
}
