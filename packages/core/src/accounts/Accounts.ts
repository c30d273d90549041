import { Context, Effect, Layer, Option } from "effect";
import { type KeyReach, reaches } from "../auth/index.ts";
import { type AccountId, accountIdOf, InputInvalid, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../watch/index.ts";
import type { FollowingProgress } from "../watch/neighbours.ts";
import type { Account, AccountState } from "./Account.ts";
import type { AccountDetails } from "./AccountDetails.ts";
import { followOf, stateOf } from "./account-state.ts";
import { checkAccount } from "./check-account.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { AccountNeedsReauth, AccountNotFound, AccountPaused } from "./errors.ts";
import { serversOf } from "./operator-servers.ts";
import { AccountDirectory, type AccountFilter } from "./ports/AccountDirectory.ts";

/** Which accounts to list; `cursor` comes from the previous page. */
export interface AccountSearch {
  readonly state?: AccountState | undefined;
  readonly tag?: string | undefined;
  /** A part of the address or of the name. */
  readonly query?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface AccountPage {
  readonly accounts: ReadonlyArray<AccountDetails>;
  readonly nextCursor: string | null;
}

/** The default and the maximum number of accounts on a page. */
const PAGE = 50;
const MAX_PAGE = 200;
const NO_CURSOR = { field: "cursor", message: "must be `nextCursor` of an answer" };

/** Finds and lists accounts, within the reach of a key (spec 10.2, 10.3). A null reach holds every account. */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** Returns the address key of an account from the account's id or address; none if the text is neither. */
    readonly idOf: (named: string) => Option.Option<AccountId>;
    /** Returns an account by its id or address, in any state. */
    readonly find: (
      named: string,
      reach: KeyReach | null,
    ) => Effect.Effect<Account, InputInvalid | AccountNotFound | StoreUnavailable>;
    /** Returns an account for a mailbox request, if the key may use it. */
    readonly use: (
      named: string,
      reach: KeyReach | null,
    ) => Effect.Effect<AccountId, AccountNotFound | AccountPaused | AccountNeedsReauth | StoreUnavailable>;
    /** Lists up to `limit` accounts after the address `after`, ordered by address. */
    readonly list: (
      filter: AccountFilter,
      after: AccountId | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AccountDetails>, StoreUnavailable>;
    /** Returns a page of the accounts within a reach, ordered by address. */
    readonly page: (
      search: AccountSearch,
      reach: KeyReach | null,
    ) => Effect.Effect<AccountPage, InputInvalid | StoreUnavailable>;
    /** Returns details with the progress of recording all folders (spec 7.11); null if only INBOX is followed. */
    readonly details: (
      account: Account,
    ) => Effect.Effect<AccountDetails & { readonly following: FollowingProgress | null }, StoreUnavailable>;
  }
>()("@postern/core/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const directory = yield* AccountDirectory;
      const watches = yield* AccountWatches;
      const mailboxes = yield* FollowedMailboxes;
      const ids = yield* OpaqueIds;
      const followsOf = yield* followOf;

      const idOf = (named: string) => (named.includes("@") ? accountIdOf(named) : ids.account(named));

      const find = Effect.fnUntraced(function* (named: string, reach: KeyReach | null) {
        yield* checkAccount({ id: named });
        const id = idOf(named);
        const account = Option.isSome(id) ? yield* directory.find(id.value) : Option.none();
        if (Option.isNone(account) || !reaches(reach, { address: account.value.id, tags: account.value.tags }))
          return yield* new AccountNotFound();
        return account.value;
      });

      const use = Effect.fnUntraced(function* (named: string, reach: KeyReach | null) {
        const account = yield* Effect.catchTag(find(named, reach), "InputInvalid", () => new AccountNotFound());
        const state = stateOf(account);
        if (state === "paused") return yield* new AccountPaused();
        if (state === "needs_reauth") return yield* new AccountNeedsReauth();
        return account.id;
      });

      const detailsAmong = (watched: ReadonlySet<AccountId>) => (account: Account) => ({
        account,
        servers: serversOf(settings, account.id, account),
        isWatched: watched.has(account.id),
        follow: followsOf(account),
      });

      const list: Accounts["Service"]["list"] = Effect.fn("Accounts.list")(function* (filter, after, limit) {
        const accounts = yield* directory.list(filter, after, limit);
        return accounts.map(detailsAmong(yield* watches.selectWatched(accounts.map(({ id }) => id))));
      });

      const page = Effect.fn("Accounts.page")(function* (search: AccountSearch, reach: KeyReach | null) {
        yield* checkAccount(search);
        const { state = null, tag = null, query: text = null, cursor } = search;
        const limit = Math.min(search.limit ?? PAGE, MAX_PAGE);
        const after = cursor === undefined ? null : Option.getOrNull(ids.account(cursor));
        if (cursor !== undefined && after === null) return yield* new InputInvalid({ errors: [NO_CURSOR] });
        const found = yield* list({ reach, state, tag, text }, after, limit + 1);
        const accounts = found.slice(0, limit);
        const last = found.length > limit ? accounts.at(-1) : undefined;
        return { accounts, nextCursor: last === undefined ? null : ids.accountId(last.account.id) };
      });

      const details = Effect.fnUntraced(function* (account: Account) {
        const known = detailsAmong(yield* watches.selectWatched([account.id]))(account);
        return { ...known, following: known.follow === "all" ? yield* mailboxes.progress(account.id) : null };
      });

      return Accounts.of({ idOf, find, use, list, page, details });
    }),
  );
}
