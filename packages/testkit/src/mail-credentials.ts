import { CredentialVault } from "@postern/core/auth";
import { type CurrentCredential, MailCredentials } from "@postern/core/oauth";
import { Effect, Layer, Redacted } from "effect";

/** The credentials of accounts that all sign in with a password. */
export const passwordsOnly: Layer.Layer<MailCredentials, never, CredentialVault> = MailCredentials.layer;

/**
 * The credentials of accounts that sign in with an access token where a test stored a password. `tokenOf` returns the
 * token; a wrong one for a wrong password.
 */
export const tokensOnly = (
  tokenOf: (username: string, password: string) => string,
): Layer.Layer<MailCredentials, never, CredentialVault> =>
  Layer.effect(
    MailCredentials,
    Effect.map(CredentialVault, (vault) =>
      MailCredentials.of({
        of: (account) =>
          Effect.map(vault.reveal(account), ({ username, password, version }): CurrentCredential => {
            const token = Redacted.make(tokenOf(username, Redacted.value(password)));
            return { credential: { _tag: "AccessToken", username, token }, version };
          }),
        version: vault.version,
        renew: () => Effect.succeed(false),
        reject: (account, { version }) => vault.markRejected(account, version),
      }),
    ),
  );
