import { Context, type Effect, type Option } from "effect";
import type { KeyReach } from "../../auth/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Account, AccountState } from "../Account.ts";

/** Which accounts to list. A field that is null does not narrow the list. */
export interface AccountFilter {
  readonly reach: KeyReach | null;
  readonly state: AccountState | null;
  readonly tag: string | null;
  /** A part of the address or of the name; case does not matter. */
  readonly text: string | null;
}

/**
 * Stores accounts (spec 10.3). An account that is not managed exists only while its credential is stored; after that it
 * is neither found nor listed.
 */
export class AccountDirectory extends Context.Service<
  AccountDirectory,
  {
    readonly find: (account: AccountId) => Effect.Effect<Option.Option<Account>, StoreUnavailable>;
    /** Lists up to `limit` accounts after the address `after`, ordered by address. */
    readonly list: (
      filter: AccountFilter,
      after: AccountId | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>;
    /** Inserts an account, or replaces the leftover row of a former account; false if the account exists. */
    readonly insert: (account: Account) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Replaces an account by the result of `decide`; concurrent changes wait. None if the account does not exist. Does
     * not change `refusedAt`, which belongs to the vault.
     */
    readonly change: <A>(
      account: AccountId,
      decide: (account: Account) => readonly [A, Account],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Deletes up to `limit` rows of accounts that no longer exist; returns the number deleted. */
    readonly removeUnused: (limit: number) => Effect.Effect<number, StoreUnavailable>;
    /** Returns the number of accounts in each state. */
    readonly countByState: Effect.Effect<Readonly<Record<AccountState, number>>, StoreUnavailable>;
  }
>()("@postern/core/accounts/ports/AccountDirectory") {}
