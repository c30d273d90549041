import { sweeps } from "@postern/core";
import { Effect, Layer, Schedule } from "effect";

/** Sweeps at start and once an hour; a failed sweep is logged and repeated an hour later. */
export const Housekeeping = Layer.effectDiscard(
  Effect.gen(function* () {
    const all = yield* sweeps;
    const pass = Effect.forEach(all, (sweep) =>
      Effect.catchCause(sweep, (cause) => Effect.logWarning("a sweep failed", cause)),
    );
    yield* Effect.forkScoped(Effect.repeat(pass, Schedule.spaced("1 hour")));
  }),
);
