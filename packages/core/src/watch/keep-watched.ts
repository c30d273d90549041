import { Duration, Effect } from "effect";

/** The interval at which open streams extend their watches. */
export const EXTENDED_EVERY = Duration.seconds(40);

/** Extends watches for as long as it runs. */
export const keepWatched = <E>(extend: Effect.Effect<void, E>): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.sleep(EXTENDED_EVERY), Effect.ignore(extend)));
