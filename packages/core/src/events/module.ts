import { Clock, Duration, Effect } from "effect";
import { inSlices } from "../shared/index.ts";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { EventPublisher } from "./EventPublisher.ts";
import { KEPT_MILLIS } from "./kept.ts";
import { EventLedger } from "./ports/EventLedger.ts";

/** The time for which events are kept after a replay can no longer request them. */
const MARGIN_MILLIS = Duration.toMillis("1 hour");

/** Deletes events with their deliveries and attempts after 14 days (spec 7). */
const forgetOld = Effect.map(EventLedger, ({ forget }) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => inSlices(forget(now - KEPT_MILLIS - MARGIN_MILLIS, ROWS_AT_ONCE))),
);

/** The domain of events: it publishes the events of accounts and keeps them for 14 days. */
export const events = {
  layer: EventPublisher.layer,
  data: Effect.map(EventLedger, ({ erase }): AccountData => ({ name: "events", eraseSlice: erase })),
  sweeps: Effect.map(forgetOld, (sweep) => [sweep]),
};
