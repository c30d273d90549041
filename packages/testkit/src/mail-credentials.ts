import { CredentialVault, type MailCredential, type PasswordCredential } from "@postern/core/auth";
import { MailboxCredentialsRejected, MailServerError } from "@postern/core/mail";
import { MailCredentials } from "@postern/core/oauth";
import { Effect, Layer, Redacted } from "effect";

/** The credentials of accounts for which a test stored passwords. */
const credentialsBy = (
  credentialOf: (stored: PasswordCredential) => MailCredential,
): Layer.Layer<MailCredentials, never, CredentialVault> =>
  Layer.effect(
    MailCredentials,
    Effect.map(CredentialVault, (vault) =>
      MailCredentials.of({
        of: Effect.fnUntraced(function* (account) {
          const { version, ...stored } = yield* vault.reveal(account);
          if (stored._tag !== "Password") return yield* Effect.die("the account has a grant");
          return { credential: credentialOf(stored), version };
        }),
        version: vault.version,
        renew: () => Effect.succeed(false),
        keepFresh: () => Effect.never,
        reject: (account, { version }, explained) =>
          explained
            ? Effect.andThen(vault.markRejected(account, version), Effect.fail(new MailboxCredentialsRejected()))
            : Effect.fail(new MailServerError({ reason: "sign_in_unclear", operation: "login", detail: "no reason" })),
        accepted: () => Effect.void,
        answered: () => Effect.void,
      }),
    ),
  );

/** The credentials of accounts that all sign in with a password. */
export const passwordsOnly = credentialsBy((stored) => stored);

/**
 * The credentials of accounts that sign in with an access token where a test stored a password. `tokenOf` returns the
 * token; a wrong one for a wrong password.
 */
export const tokensOnly = (tokenOf: (username: string, password: string) => string) =>
  credentialsBy(({ username, password }) => ({
    _tag: "AccessToken",
    username,
    token: Redacted.make(tokenOf(username, Redacted.value(password))),
  }));
