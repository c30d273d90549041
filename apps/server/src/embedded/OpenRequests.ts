import { Context, Duration, Effect, Fiber, Latch, Layer, type Scope } from "effect";

/** The requests without a complete answer. The service waits for them before it ends. */
export class OpenRequests extends Context.Service<
  OpenRequests,
  {
    /** Counts the request of this fiber until its scope closes, after the last byte of its answer. */
    readonly enter: Effect.Effect<void, never, Scope.Scope>;
    /** Waits for all requests to end; interrupts the requests that exceed the time. */
    readonly end: (within: Duration.Duration) => Effect.Effect<void>;
  }
>()("@postern/server/OpenRequests") {
  static readonly layer = Layer.sync(OpenRequests, () => {
    const fibers = new Set<Fiber.Fiber<unknown, unknown>>();
    const none = Latch.makeUnsafe(true);
    const leave = (fiber: Fiber.Fiber<unknown, unknown>) =>
      Effect.suspend(() => {
        fibers.delete(fiber);
        return fibers.size === 0 ? Effect.asVoid(none.open) : Effect.void;
      });
    return OpenRequests.of({
      enter: Effect.withFiber((fiber) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.suspend(() => {
              fibers.add(fiber);
              return none.close;
            }),
            () => leave(fiber),
          ),
        ),
      ),
      end: (within) =>
        Effect.andThen(
          Effect.timeoutOption(none.await, within),
          Effect.suspend(() => Fiber.interruptAll(fibers)),
        ),
    });
  });
}
