import { Effect, Layer } from "effect";
import { WatchReasons } from "../webhooks/index.ts";
import { AccountWatcher } from "./AccountWatcher.ts";
import { ArrivalSync } from "./ArrivalSync.ts";
import { InboxFollower } from "./InboxFollower.ts";

/** Arrivals: this node's share of the watched accounts. */
export const arrivals = {
  layer: AccountWatcher.layer.pipe(
    Layer.provide(InboxFollower.layer),
    Layer.provide([ArrivalSync.layer, WatchReasons.layer]),
  ),
  workers: Effect.map(AccountWatcher, (worker) => [worker]),
};
