import { Context, Effect, Layer } from "effect";
import { startCounters } from "./request-metrics.ts";

/** The number of requests without a response so far. */
export class InFlight extends Context.Service<InFlight, { count: number }>()("@postern/http-api/InFlight") {
  static readonly layer = Layer.effect(InFlight, Effect.as(startCounters, { count: 0 }));
}
