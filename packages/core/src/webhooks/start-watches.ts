import { Effect, Fiber, type Scope } from "effect";
import { type Account, AccountDirectory, stateOf } from "../accounts/index.ts";
import { EVERY_ACCOUNT, type KeyReach } from "../auth/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { WatchStarter } from "../watch/neighbours.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** How long the creation of an endpoint waits for the watches of its accounts. */
const PATIENCE = "10 seconds";
/** The mail hosts whose accounts are started at the same time, and the accounts of each. */
const HOSTS_AT_ONCE = 16;
const ACCOUNTS_AT_ONCE = 16;
const PAGE = 500;

/** What the watches of accounts that endpoints of applications reach are started with. */
export const applicationWatches = Effect.all({
  directory: AccountDirectory,
  endpoints: Endpoints,
  starter: WatchStarter,
});
export type ApplicationWatches = Effect.Success<typeof applicationWatches>;

/**
 * Starts watching the managed accounts in a reach, from the present on (spec 10.3). Returns after 10 seconds at most,
 * with the number of accounts that are not watched yet; those are started in the background, in `scope`, and again by the sweep if
 * that fails.
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

/** Starts the watches that are missing, for every endpoint of an application. */
export const sweepWatches = Effect.fn("sweepWatches")(function* (
  watches: ApplicationWatches,
): Effect.fn.Return<void, StoreUnavailable> {
  const entries = new Set(yield* watches.endpoints.reachedEntries);
  if (entries.size === 0) return;
  const reach = entries.has(EVERY_ACCOUNT) ? null : [...entries];
  yield* beginAll(watches, yield* accountsIn(watches, reach), () => undefined);
});

/** The managed accounts in a reach that can be watched. */
const accountsIn = Effect.fnUntraced(function* ({ directory }: ApplicationWatches, reach: KeyReach | null) {
  const found: Array<Account> = [];
  for (let after: AccountId | null = null; ;) {
    const page: ReadonlyArray<Account> = yield* directory.list({ reach, state: null, tag: null }, after, PAGE);
    found.push(...page.filter((one) => one.managed && stateOf(one) !== "paused"));
    if (page.length < PAGE) return found;
    after = page.at(-1)!.id;
  }
});

/** Starts watches. A host that is slow, or limits new connections, does not delay the accounts of another. */
const beginAll = ({ starter }: ApplicationWatches, accounts: ReadonlyArray<Account>, began: () => void) => {
  const begin = ({ id }: Account) =>
    starter.begin(id, "first watch").pipe(
      Effect.andThen(Effect.sync(began)),
      // A mail server that fails or refuses the credential is tried again by the sweep.
      Effect.ignore,
    );
  const byHost = Map.groupBy(accounts, ({ servers }) => servers?.imap.host.toLowerCase());
  return Effect.forEach(
    byHost.values(),
    (theirs) => Effect.forEach(theirs, begin, { concurrency: ACCOUNTS_AT_ONCE, discard: true }),
    { concurrency: HOSTS_AT_ONCE, discard: true },
  );
};
