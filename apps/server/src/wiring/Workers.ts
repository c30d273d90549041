import { workers } from "@postern/core";
import { Duration, Effect, Layer } from "effect";
import { StopSignal } from "./StopSignal.ts";

/**
 * The time that running work may take after the stop; unfinished work is released for other processes or the next
 * start.
 */
const DRAIN = Duration.seconds(18);

/**
 * Runs the workers of all domains for as long as the service runs (spec 8.2). After the stop signal the workers claim
 * no more work; running work continues while the last requests are answered.
 */
export const Workers: Layer.Layer<never, never, Effect.Services<typeof workers> | StopSignal> = Layer.effectDiscard(
  Effect.gen(function* () {
    const stopping = yield* StopSignal;
    const all = yield* workers;
    for (const { run } of all) yield* Effect.forkScoped(run);
    const stopAll = Effect.forEach(all, ({ stop }) => stop, { discard: true });
    yield* Effect.forkScoped(Effect.andThen(stopping.begins, stopAll));
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(stopping.left(DRAIN), (left) =>
        Effect.forEach(all, ({ drain }) => drain(left), { concurrency: "unbounded", discard: true }),
      ),
    );
  }),
);
