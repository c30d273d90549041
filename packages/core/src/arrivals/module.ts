import { Clock, Duration, Effect, Layer } from "effect";
import { inSlices } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { FollowedMailboxes } from "../watch/index.ts";
import { WatchStarter } from "../watch/neighbours.ts";
import { AccountWatcher } from "./AccountWatcher.ts";
import { ArrivalSync } from "./ArrivalSync.ts";
import { Blocks } from "./Blocks.ts";
import { InboxFollower } from "./InboxFollower.ts";
import { LEFT_LIFETIME } from "./recognise-messages.ts";
import { refusalReporter, refusalWorker, reportRefusals } from "./report-refusals.ts";
import { sweepFollowed, watchReasons } from "./watch-reasons.ts";

/** Deletes old records of expected messages and of messages that left, including those of accounts that are no longer followed. */
const forgetMessages = Effect.map(FollowedMailboxes, ({ removeOld }) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    inSlices(removeOld(now, now - Duration.toMillis(LEFT_LIFETIME), ROWS_AT_ONCE)),
  ),
);

/** The domain of arrivals: each node watches its share of the accounts. */
export const arrivals = {
  layer: AccountWatcher.layer.pipe(
    Layer.provide(InboxFollower.layer),
    Layer.provide(ArrivalSync.layer),
    Layer.merge(Blocks.layer),
  ),
  workers: Effect.all([AccountWatcher, refusalWorker]),
  sweeps: Effect.map(
    Effect.all([refusalReporter, forgetMessages, watchReasons, WatchStarter]),
    ([reporter, forget, reasons, starter]) => [reportRefusals(reporter), forget, sweepFollowed(reasons, starter)],
  ),
};
