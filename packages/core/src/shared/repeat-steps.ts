import { Duration, Effect } from "effect";

/** Pause after a failure of the store. */
const AFTER_FAILURE = Duration.seconds(1);

/** Repeats a step until it is interrupted; a step that fails is logged, and the next one waits for a second. */
export const repeatSteps = <E, R>(name: string, step: Effect.Effect<unknown, E, R>): Effect.Effect<never, never, R> =>
  Effect.forever(
    Effect.catchCause(step, (cause) =>
      Effect.andThen(Effect.logWarning(`${name}: the store cannot be read`, cause), Effect.sleep(AFTER_FAILURE)),
    ),
  );
