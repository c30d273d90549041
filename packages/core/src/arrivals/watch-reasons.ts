import { Duration, Effect, Option } from "effect";
import { type Account, AccountDirectory, stateOf } from "../accounts/index.ts";
import { followsAllFolders } from "../accounts/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches, SenderBlocks } from "../watch/index.ts";
import type { WatchStarter } from "../watch/neighbours.ts";
import { Endpoints, ownedBy } from "../webhooks/index.ts";
import { reachEntriesOf } from "../webhooks/neighbours.ts";

/** The time after which the reasons to watch an account with an endpoint are checked again. */
const CHECK_AFTER = Duration.minutes(10);

/** The ports that know the reasons to watch an account. */
export const watchReasons = Effect.all({
  endpoints: Endpoints,
  directory: AccountDirectory,
  watches: AccountWatches,
  blocks: SenderBlocks,
  followsAll: followsAllFolders,
});
export type WatchReasons = Effect.Success<typeof watchReasons>;

/**
 * Extends the watch of an account without open streams if there is a reason (spec 7, 10.3); returns whether the watch
 * was extended. Reasons are: all folders of the account are followed, a sender is blocked, the account has an endpoint,
 * or an application's endpoint, enabled or not, reaches the managed account. A paused account has no reason.
 */
export const prolongWatch = Effect.fn("prolongWatch")(function* (
  { endpoints, directory, watches, blocks, followsAll }: WatchReasons,
  account: AccountId,
  now: number,
): Effect.fn.Return<boolean, StoreUnavailable> {
  const found = yield* directory.find(account);
  if (Option.exists(found, (known) => stateOf(known) === "paused")) return false;
  const hasReason =
    followsAll(found) ||
    (yield* endpoints.list(ownedBy(account))).length > 0 ||
    (yield* endpoints.isReached(reachEntriesOf(found))) ||
    (yield* blocks.list(account)).length > 0;
  if (!hasReason) return false;
  return yield* watches.extend(account, now + Duration.toMillis(CHECK_AFTER));
});

/** How many accounts are read at a time. */
const PAGE = 500;

/** Starts missing watches of accounts whose folders are all followed. */
export const sweepFollowed = Effect.fn("sweepFollowed")(function* (
  { directory, watches, followsAll }: WatchReasons,
  starter: WatchStarter["Service"],
): Effect.fn.Return<void, StoreUnavailable> {
  for (let after: AccountId | null = null; ;) {
    const page: ReadonlyArray<Account> = yield* directory.list(EVERYONE, after, PAGE);
    const followed = page.filter((one) => stateOf(one) !== "paused" && followsAll(Option.some(one)));
    const watched = yield* watches.selectWatched(followed.map(({ id }) => id));
    for (const { id } of followed) if (!watched.has(id)) yield* starter.resume(id);
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
});

const EVERYONE = { reach: null, state: null, tag: null, text: null };
