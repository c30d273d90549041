import { Duration, Effect, Option } from "effect";
import { AccountDirectory, stateOf } from "../accounts/index.ts";
import { reachEntriesOf } from "../accounts/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches } from "../watch/index.ts";
import { ownedBy } from "./endpoint-owner.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** How long an account with an endpoint is watched before the reason is checked again. */
const CHECK_AFTER = Duration.minutes(10);

/** What decides about the watch of an account. */
export const watchReasons = Effect.all({ endpoints: Endpoints, directory: AccountDirectory, watches: AccountWatches });
export type WatchReasons = Effect.Success<typeof watchReasons>;

/**
 * Extends the watch of an account without open streams if there is a reason (spec 7, 10.3): it is not paused, and has an
 * endpoint or, if it is managed, is reached by one of an application, enabled or not. Returns whether it did.
 */
export const prolongWatch = Effect.fn("prolongWatch")(function* (
  { endpoints, directory, watches }: WatchReasons,
  account: AccountId,
  now: number,
): Effect.fn.Return<boolean, StoreUnavailable> {
  const found = yield* directory.find(account);
  if (Option.exists(found, (known) => stateOf(known) === "paused")) return false;
  const hasReason =
    (yield* endpoints.list(ownedBy(account))).length > 0 || (yield* endpoints.isReached(reachEntriesOf(found)));
  if (!hasReason) return false;
  return yield* watches.extend(account, now + Duration.toMillis(CHECK_AFTER));
});
