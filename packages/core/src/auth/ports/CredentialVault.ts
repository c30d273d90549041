import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { MailboxCredentialsRejected } from "../../mail/index.ts";
import type { MailCredential } from "./MailLogin.ts";

/** A kept credential; `version` tells it from those a later sign-in puts in its place. */
export interface KeptCredential extends MailCredential {
  readonly version: number;
}

/** Keeps the credential the mail server accepted (spec 3). */
export class CredentialVault extends Context.Service<
  CredentialVault,
  {
    /** Puts a credential in the place of any other and makes the account usable again. */
    readonly keep: (account: AccountId, credential: MailCredential) => Effect.Effect<void, StoreUnavailable>;
    /** The credential in force; refused once it was marked rejected, or where there is none. */
    readonly reveal: (
      account: AccountId,
    ) => Effect.Effect<KeptCredential, MailboxCredentialsRejected | StoreUnavailable>;
    /** The version of the credential in force, which is not unsealed for it; refused like `reveal`. */
    readonly version: (account: AccountId) => Effect.Effect<number, MailboxCredentialsRejected | StoreUnavailable>;
    /** Records that the mail server refused this version; of no effect once a newer one is kept. */
    readonly markRejected: (account: AccountId, version: number) => Effect.Effect<void, StoreUnavailable>;
    /** Whether the credential in force was refused and that is unannounced: true once for each refusal. */
    readonly takeRejection: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Erases the credential unless it is in use, which is asked once no other caller can keep one for this account: a
     * sign-in that comes at the same moment either is seen by `inUse` or keeps its own afterwards.
     */
    readonly eraseUnless: <E, R>(
      account: AccountId,
      inUse: Effect.Effect<boolean, E, R>,
    ) => Effect.Effect<void, E | StoreUnavailable, R>;
  }
>()("@postern/core/auth/ports/CredentialVault") {}
