import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Grant } from "../Grant.ts";

/**
 * Stores grants with encrypted tokens. A grant is the account's mail credential: it replaces a stored password, and a
 * new password replaces the grant. `CredentialVault` finds, rejects and erases it.
 */
export class Grants extends Context.Service<
  Grants,
  {
    /** Stores or replaces the account's credential, with a new version, and clears its rejection. */
    readonly keep: (grant: Grant) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<Grant>, StoreUnavailable>;
    /**
     * Replaces a grant by the result of `decide`; concurrent changes wait, in all processes. The version of the
     * credential stays. None if the account has no grant.
     */
    readonly change: <A>(
      account: AccountId,
      decide: (grant: Grant) => readonly [A, Grant],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** Returns the shared mailboxes that this account's tokens open, ordered by address. */
    readonly listDelegates: (account: AccountId) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
  }
>()("@postern/core/oauth/ports/Grants") {}
