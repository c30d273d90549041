import { Deferred, Duration, Effect, Fiber, type Scope } from "effect";

/** The time for which a call waits for the previous call, so that more callers share it. */
const TURN = Duration.millis(10);

interface SharedCall<A, E> {
  readonly answer: Deferred.Deferred<A, E>;
  fiber?: Fiber.Fiber<A, E>;
  callers: number;
}

/**
 * Shares one call among callers with the same key that arrive before it begins, so that no caller gets an answer older
 * than its request. `call` runs `begins` before its request to the server. Calls run one after another, but no call
 * waits long for the previous one. A call is interrupted when its last caller is interrupted. `input` is that of the
 * first caller.
 */
export const sharedCalls = <K, A, E, I = void>(
  scope: Scope.Scope,
  call: (key: K, begins: Effect.Effect<void>, input: I) => Effect.Effect<A, E>,
): ((key: K, input: I) => Effect.Effect<A, E>) => {
  const open = new Map<K, SharedCall<A, E>>();
  const latest = new Map<K, SharedCall<A, E>>();

  const close = (key: K, shared: SharedCall<A, E>) => {
    if (open.get(key) === shared) open.delete(key);
  };

  const answerOf = (key: K, shared: SharedCall<A, E>): Effect.Effect<A, E> => {
    shared.callers++;
    return Effect.onInterrupt(Deferred.await(shared.answer), () => {
      if (--shared.callers > 0 || shared.fiber === undefined) return Effect.void;
      close(key, shared);
      return Fiber.interrupt(shared.fiber);
    });
  };

  const start = Effect.fnUntraced(function* (key: K, input: I) {
    const shared: SharedCall<A, E> = { answer: Deferred.makeUnsafe(), callers: 0 };
    const before = latest.get(key);
    open.set(key, shared);
    latest.set(key, shared);
    const closes = Effect.sync(() => close(key, shared));
    const turn =
      before === undefined ? Effect.void : Effect.timeoutOption(Effect.exit(Deferred.await(before.answer)), TURN);
    const run = Effect.onExit(Effect.andThen(turn, call(key, closes, input)), (exit) => {
      if (latest.get(key) === shared) latest.delete(key);
      return Effect.andThen(closes, Deferred.done(shared.answer, exit));
    });
    shared.fiber = yield* Effect.forkIn(run, scope, { startImmediately: true });
    return yield* answerOf(key, shared);
  });

  return (key, input) =>
    Effect.suspend(() => {
      const shared = open.get(key);
      return shared === undefined ? start(key, input) : answerOf(key, shared);
    });
};
