import { Effect, Fiber, Option, Predicate, type Scope } from "effect";
import { type Account, AccountDirectory, stateOf } from "../accounts/index.ts";
import { EVERY_ACCOUNT, type KeyReach } from "../auth/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { WatchStarter } from "../watch/neighbours.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** The maximum time that the creation of an endpoint waits for the watches of its accounts to start. */
const PATIENCE = "10 seconds";
/** The number of mail hosts handled concurrently, and of accounts of each. */
const HOSTS_AT_ONCE = 16;
const ACCOUNTS_AT_ONCE = 16;
const PAGE = 500;

/** The ports and services that start the watches of the accounts in the reach of an application. */
export const applicationWatches = Effect.all({
  directory: AccountDirectory,
  endpoints: Endpoints,
  starter: WatchStarter,
});
export type ApplicationWatches = Effect.Success<typeof applicationWatches>;

/**
 * Starts watching the managed accounts in a reach, from now on (spec 10.3). Returns after at most 10 seconds, with the
 * number of accounts that are not watched yet. The watches of these accounts are started in the background, in `scope`;
 * if that fails, the sweep starts them.
 */
export const startWatches = Effect.fn("startWatches")(function* (
  watches: ApplicationWatches,
  scope: Scope.Scope,
  reach: KeyReach | null,
): Effect.fn.Return<number, StoreUnavailable> {
  const accounts = yield* accountsIn(watches, reach);
  let pending = accounts.length;
  const all = beginAll(watches, accounts, () => void pending--);
  yield* Effect.timeoutOption(Fiber.join(yield* Effect.forkIn(all, scope)), PATIENCE);
  return pending;
});

/**
 * Starts or extends the watches of the managed accounts in a reach. A watch begins now; for an account created at
 * `newSince` (epoch milliseconds) or later, it begins at the account's creation.
 */
export const watchReached = Effect.fn("watchReached")(function* (
  watches: ApplicationWatches,
  reach: KeyReach | null,
  newSince = Infinity,
): Effect.fn.Return<void, StoreUnavailable> {
  const accounts = yield* accountsIn(watches, reach);
  for (const { id } of accounts.filter(isNew(newSince))) yield* watches.starter.resume(id);
  yield* beginAll(watches, accounts.filter(Predicate.not(isNew(newSince))), () => undefined);
});

/** Starts the watches of accounts that were created at `since` or later; the watches begin at the creation of the accounts. */
export const watchNewAccounts = Effect.fn("watchNewAccounts")(function* (
  { directory, starter }: ApplicationWatches,
  accounts: ReadonlyArray<AccountId>,
  since: number,
): Effect.fn.Return<void, StoreUnavailable> {
  for (const id of accounts) {
    const found = Option.filter(yield* directory.find(id), (one) => isWatchable(one) && isNew(since)(one));
    if (Option.isSome(found)) yield* starter.resume(id);
  }
});

const isNew =
  (since: number) =>
  ({ createdAt }: Account): boolean =>
    createdAt >= since;

const isWatchable = (account: Account): boolean => account.managed && stateOf(account) !== "paused";

/** Starts missing watches for every endpoint of an application. */
export const sweepWatches = Effect.fn("sweepWatches")(function* (
  watches: ApplicationWatches,
): Effect.fn.Return<void, StoreUnavailable> {
  const entries = new Set(yield* watches.endpoints.listReachEntries);
  if (entries.size === 0) return;
  const reach = entries.has(EVERY_ACCOUNT) ? null : [...entries];
  yield* watchReached(watches, reach);
});

/** Returns the managed accounts in a reach that can be watched. */
const accountsIn = Effect.fnUntraced(function* ({ directory }: ApplicationWatches, reach: KeyReach | null) {
  const found: Array<Account> = [];
  for (let after: AccountId | null = null; ;) {
    const page: ReadonlyArray<Account> = yield* directory.list(
      { reach, state: null, tag: null, text: null },
      after,
      PAGE,
    );
    found.push(...page.filter(isWatchable));
    if (page.length < PAGE) return found;
    after = page.at(-1)!.id;
  }
});

/** Starts watches. A host that is slow or limits new connections does not delay accounts of other hosts. */
const beginAll = ({ starter }: ApplicationWatches, accounts: ReadonlyArray<Account>, began: () => void) => {
  const begin = ({ id }: Account) =>
    starter.begin(id, "first watch").pipe(
      Effect.andThen(Effect.sync(began)),
      // If a mail server fails or refuses the credential, the sweep tries again.
      Effect.ignore,
    );
  const byHost = Map.groupBy(accounts, ({ servers }) => servers?.imap.host.toLowerCase());
  return Effect.forEach(
    byHost.values(),
    (theirs) => Effect.forEach(theirs, begin, { concurrency: ACCOUNTS_AT_ONCE, discard: true }),
    { concurrency: HOSTS_AT_ONCE, discard: true },
  );
};
