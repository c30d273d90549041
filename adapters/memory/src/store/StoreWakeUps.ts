import { type Clock, Duration, Effect, Queue, type Scope } from "effect";

interface Listener {
  readonly name: string;
  readonly client: string;
  readonly wakeUps: Queue.Queue<void>;
}

/** The listeners of all clients of a store. */
export class StoreWakeUps {
  readonly #listeners = new Set<Listener>();

  /**
   * Starts to listen. The inner effect waits for the next wake-up; a wake-up in the meantime is kept. With
   * `pollMillis`, it also wakes at this interval.
   */
  listen(client: string, name: string, pollMillis?: number): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const wakeUps = yield* Queue.sliding<void>(1);
      const listener: Listener = { name, client, wakeUps };
      yield* Effect.acquireRelease(
        Effect.sync(() => this.#listeners.add(listener)),
        () => Effect.sync(() => this.#listeners.delete(listener)),
      );
      if (pollMillis !== undefined) {
        const poll = Effect.sync(() => Queue.offerUnsafe(wakeUps, undefined));
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pollMillis), poll)));
      }
      return Queue.take(wakeUps);
    });
  }

  /** Wakes the listeners of these names, each after the delay of its client on this clock. */
  wake(
    names: ReadonlyArray<string>,
    delay?: { readonly clock: Clock.Clock; readonly millis: (client: string) => number },
  ): Effect.Effect<void> {
    return Effect.suspend(() => {
      const late: Array<Effect.Effect<unknown>> = [];
      for (const { name, client, wakeUps } of this.#listeners) {
        if (!names.includes(name)) continue;
        const millis = delay?.millis(client) ?? 0;
        if (delay === undefined || millis === 0) Queue.offerUnsafe(wakeUps, undefined);
        else late.push(Effect.andThen(delay.clock.sleep(Duration.millis(millis)), Queue.offer(wakeUps, undefined)));
      }
      return Effect.forEach(late, (wakeUp) => Effect.forkDetach(wakeUp), { discard: true });
    });
  }
}
