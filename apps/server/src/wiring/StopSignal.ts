import { Clock, Context, Duration, Effect, Latch, Layer } from "effect";

/** The stop signal of the process with its time, from which all shutdown deadlines count. */
export class StopSignal extends Context.Service<
  StopSignal,
  {
    readonly hasBegun: () => boolean;
    /** Waits for the stop signal. */
    readonly begins: Effect.Effect<void>;
    readonly begin: Effect.Effect<void>;
    /** Returns the remaining part of a duration that began with the stop. */
    readonly left: (whole: Duration.Duration) => Effect.Effect<Duration.Duration>;
  }
>()("@postern/server/StopSignal") {
  static readonly layer = Layer.sync(StopSignal, () => {
    const latch = Latch.makeUnsafe();
    let since: number | undefined;
    return {
      hasBegun: () => since !== undefined,
      begins: latch.await,
      begin: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.suspend(() => {
          since ??= now;
          return Effect.asVoid(latch.open);
        }),
      ),
      left: (whole) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Duration.millis(Math.max(0, Duration.toMillis(whole) - (now - (since ?? now)))),
        ),
    };
  });
}
