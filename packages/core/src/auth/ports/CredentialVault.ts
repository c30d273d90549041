import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { MailboxCredentialsRejected } from "../../mail/index.ts";
import type { PasswordCredential } from "../mail-credential.ts";

/** The credential of an account that signs in with the OAuth2 grant stored in `Grants`. */
export interface GrantCredential {
  readonly _tag: "Grant";
  readonly username: string;
}

/** A stored credential. Each later sign-in or consent stores a credential with another `version`. */
export type KeptCredential = (PasswordCredential | GrantCredential) & { readonly version: number };

/** A stored credential with the time at which the mail server refused it, in epoch milliseconds; null while the server accepts it. */
export type FoundCredential = KeptCredential & { readonly rejectedAt: number | null };

/** Stores the credential that the mail server accepted (spec 3). */
export class CredentialVault extends Context.Service<
  CredentialVault,
  {
    /** Stores a password, which replaces the account's credential, and clears its rejection. */
    readonly keep: (account: AccountId, credential: PasswordCredential) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the credential. Fails if it was marked rejected or does not exist. */
    readonly reveal: (
      account: AccountId,
    ) => Effect.Effect<KeptCredential, MailboxCredentialsRejected | StoreUnavailable>;
    /** Returns the credential's version without unsealing it. Fails like `reveal`. */
    readonly version: (account: AccountId) => Effect.Effect<number, MailboxCredentialsRejected | StoreUnavailable>;
    /** Fails like `reveal`. Within a transaction, the credential is not erased before the transaction ends. */
    readonly hold: (account: AccountId) => Effect.Effect<void, MailboxCredentialsRejected | StoreUnavailable>;
    /** Records that the mail server refused this version; no effect once a newer one is stored. */
    readonly markRejected: (account: AccountId, version: number) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the credential, refused or not; none if no credential is stored for the account. */
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<FoundCredential>, StoreUnavailable>;
    /**
     * Records that the mail server accepts this version again; no effect once a newer one is stored. True once per
     * refusal.
     */
    readonly markAccepted: (account: AccountId, version: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Marks a refused credential as announced; true once per refusal. */
    readonly takeRejection: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns up to `limit` accounts whose credential was refused but not yet announced. */
    readonly listUnannounced: (limit: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /** Returns up to `limit` accounts with a credential that are not managed, by address, from the one after `after`. */
    readonly listUnmanaged: (
      after: AccountId | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
    /**
     * Erases the credential unless `inUse` is true; returns whether a credential was erased. Runs `inUse` under a lock
     * against `keep`. So `inUse` sees a concurrent sign-in, or the sign-in stores its credential after the erasure.
     */
    readonly eraseUnless: <E, R>(
      account: AccountId,
      inUse: Effect.Effect<boolean, E, R>,
    ) => Effect.Effect<boolean, E | StoreUnavailable, R>;
  }
>()("@postern/core/auth/ports/CredentialVault") {}
