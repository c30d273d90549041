import { Effect } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";
import type { AccountWatch, AccountWatches } from "../watch/index.ts";
import { WatchLost } from "./errors.ts";

/** Fails if the node has lost the watch. Inside a transaction, the node keeps the watch until the transaction ends. */
export const checkHeld = (
  watches: AccountWatches["Service"],
  node: string,
  watch: AccountWatch,
): Effect.Effect<void, WatchLost | StoreUnavailable> =>
  Effect.flatMap(watches.holds(watch, node), (isHeld) => (isHeld ? Effect.void : Effect.fail(new WatchLost())));
