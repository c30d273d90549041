import { Context, Effect, Layer } from "effect";
import { CredentialVault, type MailCredential } from "../auth/index.ts";
import type { MailboxAccessError, MailboxCredentialsRejected } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";

/** A credential to sign in with now. A new sign-in or consent changes the version; a refreshed token does not. */
export interface CurrentCredential {
  readonly credential: MailCredential;
  readonly version: number;
}

/** The credentials with which adapters sign accounts in at their mail servers: a password or an access token. */
export class MailCredentials extends Context.Service<
  MailCredentials,
  {
    /** Returns the credential. Fails if it was refused before or none is stored. */
    readonly of: (account: AccountId) => Effect.Effect<CurrentCredential, MailboxAccessError>;
    /** Returns the version of the credential without the credential. */
    readonly version: (account: AccountId) => Effect.Effect<number, MailboxCredentialsRejected | StoreUnavailable>;
    /**
     * Returns whether another try is worth it after the server refused this credential: true where its access token was
     * replaced by a new one. False for a password, and for a token that itself replaced a refused one.
     */
    readonly renew: (account: AccountId, refused: CurrentCredential) => Effect.Effect<boolean, MailboxAccessError>;
    /** Records that the server refused this credential: nothing signs in with it again. */
    readonly reject: (account: AccountId, refused: CurrentCredential) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/oauth/MailCredentials") {
  static readonly layer = Layer.effect(
    MailCredentials,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      return MailCredentials.of({
        of: Effect.fnUntraced(function* (account) {
          const { version, ...credential } = yield* vault.reveal(account);
          return { credential, version };
        }),
        version: vault.version,
        renew: () => Effect.succeed(false),
        reject: (account, { version }) => vault.markRejected(account, version),
      });
    }),
  );
}
