import { Effect, Layer } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { EventPublisher } from "./EventPublisher.ts";
import { EventRetention } from "./EventRetention.ts";
import { EventLedger } from "./ports/EventLedger.ts";

/** Events of accounts: published, and kept for 14 days. */
export const events = {
  layer: Layer.merge(EventPublisher.layer, EventRetention.layer),
  data: Effect.map(EventLedger, ({ erase }): AccountData => ({ name: "events", eraseSlice: erase })),
  sweeps: Effect.map(EventRetention, ({ sweep }) => [sweep]),
};
