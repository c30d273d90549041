import { Clock, Context, Duration, Effect, Layer } from "effect";
import { inSlices, type StoreUnavailable } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { KEPT_MILLIS } from "./kept.ts";
import { EventLedger } from "./ports/EventLedger.ts";

/** Keeps events longer than a replay may ask for them. */
const MARGIN = Duration.hours(1);

/** Deletes events with their deliveries and attempts after 14 days (spec 7). */
export class EventRetention extends Context.Service<
  EventRetention,
  {
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/events/EventRetention") {
  static readonly layer = Layer.effect(
    EventRetention,
    Effect.gen(function* () {
      const ledger = yield* EventLedger;
      const sweep = Effect.gen(function* () {
        const before = (yield* Clock.currentTimeMillis) - KEPT_MILLIS - Duration.toMillis(MARGIN);
        yield* inSlices(ledger.forget(before, ROWS_AT_ONCE));
      }).pipe(Effect.withSpan("EventRetention.sweep"));
      return EventRetention.of({ sweep });
    }),
  );
}
