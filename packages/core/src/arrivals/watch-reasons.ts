import { Duration, Effect, Option } from "effect";
import { type Account, AccountDirectory, stateOf } from "../accounts/index.ts";
import { allFollowed } from "../accounts/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches, SenderBlocks } from "../watch/index.ts";
import type { WatchStarter } from "../watch/neighbours.ts";
import { Endpoints, ownedBy } from "../webhooks/index.ts";
import { reachEntriesOf } from "../webhooks/neighbours.ts";

/** How long an account with an endpoint is watched before the reasons are checked again. */
const CHECK_AFTER = Duration.minutes(10);

/** Returns the ports that know the reasons to watch an account. */
export const watchReasons = Effect.all({
  endpoints: Endpoints,
  directory: AccountDirectory,
  watches: AccountWatches,
  blocks: SenderBlocks,
  followsAll: allFollowed,
});
export type WatchReasons = Effect.Success<typeof watchReasons>;

/**
 * Extends the watch of an account without open streams if there is a reason (spec 7, 10.3); returns whether it did. The
 * reason is that all folders of the account are followed, a blocked sender, an endpoint of the account or, if the account
 * is managed, an application's endpoint that reaches it, enabled or not. A paused account has no reason.
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

/** Starts missing watches of the accounts of which all folders are followed. */
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
