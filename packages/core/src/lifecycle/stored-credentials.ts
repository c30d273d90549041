import { Effect, Option } from "effect";
import { AccountVerification, CREDENTIAL_CAUSES, refusedVerification } from "../accounts/index.ts";
import type { FoundCredential, MailCredential } from "../auth/index.ts";
import type { AccountServers } from "../mail/index.ts";
import { AccessTokens } from "../oauth/index.ts";
import type { AccountId } from "../shared/index.ts";

/** Makes the functions that show the stored credential of an account, refused or not, to its mail servers. */
export const storedCredentials = Effect.gen(function* () {
  const tokens = yield* AccessTokens;
  const verification = yield* AccountVerification;

  /** Returns the credential; none for a grant that has ended. */
  const find = (account: AccountId, kept: FoundCredential) =>
    kept._tag === "Password"
      ? Effect.succeedSome<MailCredential>(kept)
      : tokens.of(account).pipe(
          Effect.map((token) => Option.some<MailCredential>({ _tag: "AccessToken", username: kept.username, token })),
          Effect.catchTag("GrantRefused", () => Effect.succeedNone),
        );

  /** Verifies the credential. A refused token is replaced once, as it may have expired on its way. */
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

  return { find, verify };
});
