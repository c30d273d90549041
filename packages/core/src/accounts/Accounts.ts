import { Context, Effect, Layer, Option } from "effect";
import { type KeyReach, reaches } from "../auth/index.ts";
import type { AccountServers } from "../mail/index.ts";
import { type AccountId, accountIdOf, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { AccountWatches } from "../watch/index.ts";
import type { Account } from "./Account.ts";
import { stateOf } from "./account-state.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { AccountNeedsReauth, AccountNotFound, AccountPaused, OutsideReach } from "./errors.ts";
import { serversOf } from "./operator-servers.ts";
import { AccountDirectory, type AccountFilter } from "./ports/AccountDirectory.ts";

/** An account as it is shown to those who manage it. */
export interface AccountDetails {
  readonly account: Account;
  /** Where it lives; null if no server is known. */
  readonly servers: AccountServers | null;
  /** Whether its new mail is announced at the moment. */
  readonly isWatched: boolean;
}

/** Finds and lists accounts, within the reach of a key (spec 10.2, 10.3). A null reach holds every account. */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** Returns the address key of an account named by its id or its address; none if the text is neither. */
    readonly idOf: (named: string) => Option.Option<AccountId>;
    /** Returns an account by its id or address, in any state. */
    readonly find: (
      named: string,
      reach: KeyReach | null,
    ) => Effect.Effect<Account, AccountNotFound | StoreUnavailable>;
    /** Returns an account that a key may use for a mailbox request. */
    readonly use: (
      named: string,
      reach: KeyReach | null,
    ) => Effect.Effect<AccountId, AccountNotFound | AccountPaused | AccountNeedsReauth | StoreUnavailable>;
    /** Fails if the account would be outside a reach, as it is or with these tags. */
    readonly checkReach: (
      account: AccountId,
      tags: ReadonlyArray<string> | null,
      reach: KeyReach | null,
    ) => Effect.Effect<void, OutsideReach | StoreUnavailable>;
    /** Fails while the account of a session is paused. */
    readonly checkNotPaused: (account: AccountId) => Effect.Effect<void, AccountPaused | StoreUnavailable>;
    /** Up to `limit` accounts by address, those after `after`. */
    readonly list: (
      filter: AccountFilter,
      after: AccountId | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AccountDetails>, StoreUnavailable>;
    readonly details: (account: Account) => Effect.Effect<AccountDetails, StoreUnavailable>;
  }
>()("@postern/core/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const directory = yield* AccountDirectory;
      const watches = yield* AccountWatches;
      const ids = yield* OpaqueIds;

      const idOf = (named: string) => (named.includes("@") ? accountIdOf(named) : ids.account(named));

      const find = Effect.fnUntraced(function* (named: string, reach: KeyReach | null) {
        const id = idOf(named);
        const account = Option.isSome(id) ? yield* directory.find(id.value) : Option.none();
        if (Option.isNone(account) || !reaches(reach, { address: account.value.id, tags: account.value.tags }))
          return yield* new AccountNotFound();
        return account.value;
      });

      const use = Effect.fnUntraced(function* (named: string, reach: KeyReach | null) {
        const account = yield* find(named, reach);
        const state = stateOf(account);
        if (state === "paused") return yield* new AccountPaused();
        if (state === "needs_reauth") return yield* new AccountNeedsReauth();
        return account.id;
      });

      const checkReach = Effect.fnUntraced(function* (
        address: AccountId,
        tags: ReadonlyArray<string> | null,
        reach: KeyReach | null,
      ) {
        const known = Option.getOrNull(yield* directory.find(address))?.tags;
        const all = [known, tags ?? known ?? []].filter((some) => some !== undefined);
        if (!all.every((some) => reaches(reach, { address, tags: some }))) return yield* new OutsideReach();
      });

      const checkNotPaused = Effect.fnUntraced(function* (account: AccountId) {
        const found = yield* directory.find(account);
        if (Option.exists(found, (account) => stateOf(account) === "paused")) return yield* new AccountPaused();
      });

      const detailsAmong = (watched: ReadonlySet<AccountId>) => (account: Account) => ({
        account,
        servers: serversOf(settings, account.id, account),
        isWatched: watched.has(account.id),
      });

      const list = Effect.fn("Accounts.list")(function* (
        filter: AccountFilter,
        after: AccountId | null,
        limit: number,
      ) {
        const accounts = yield* directory.list(filter, after, limit);
        return accounts.map(detailsAmong(yield* watches.watched(accounts.map(({ id }) => id))));
      });

      const details = (account: Account) =>
        Effect.map(watches.watched([account.id]), (watched) => detailsAmong(watched)(account));

      return Accounts.of({ idOf, find, use, checkReach, checkNotPaused, list, details });
    }),
  );
}
