import { Effect, Layer } from "effect";
import { WatchReasons } from "../webhooks/index.ts";
import { AccountWatcher } from "./AccountWatcher.ts";
import { ArrivalSync } from "./ArrivalSync.ts";
import { InboxFollower } from "./InboxFollower.ts";
import { RefusalReports } from "./RefusalReports.ts";

/** Arrivals: this node's share of the watched accounts. */
export const arrivals = {
  layer: AccountWatcher.layer.pipe(
    Layer.provide(InboxFollower.layer),
    Layer.provideMerge(RefusalReports.layer),
    Layer.provide([ArrivalSync.layer, WatchReasons.layer]),
  ),
  workers: Effect.map(Effect.all([AccountWatcher, RefusalReports]), ([watcher, { worker }]) => [watcher, worker]),
  sweeps: Effect.map(RefusalReports, ({ reportAll }) => [reportAll]),
};
