import { Clock, Context, Duration, Effect, Latch, Layer } from "effect";

/** That the process was told to stop, and when: everything that ends then has its time from that moment. */
export class Stopping extends Context.Service<
  Stopping,
  {
    readonly hasBegun: () => boolean;
    /** Waits until the process is told to stop. */
    readonly begins: Effect.Effect<void>;
    readonly begin: Effect.Effect<void>;
    /** What is left of a time that began with the stop. */
    readonly left: (whole: Duration.Duration) => Effect.Effect<Duration.Duration>;
  }
>()("@postern/server/Stopping") {
  static readonly layer = Layer.sync(Stopping, () => {
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
