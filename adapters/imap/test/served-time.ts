import { Effect, type Scope } from "effect";

/** Milliseconds between two sign-ins. */
const PAUSE = 200;

/** Milliseconds between two checks of a time limit. */
const LOOK = 100;

/** Milliseconds between two measurements of this process's CPU time. */
const TURN = 20;

/** A clock that counts only the time in which the machine ran this process and the mail server. */
export interface ServedTime {
  /** Milliseconds served so far. */
  readonly now: () => number;
  /** Completes when this many milliseconds have been served. */
  readonly sleep: (millis: number) => Effect.Effect<void>;
  /** The longest time that this process computed without a pause, in milliseconds of CPU time. */
  readonly longestTurn: () => number;
}

/**
 * Starts a clock that stops while the machine is too busy. The clock advances only while `signIn`, a direct sign-in at
 * the server, ends within `promptly` milliseconds. The CPU time of this process itself is not excluded; `longestTurn`
 * has it.
 */
export const servedTime = Effect.fnUntraced(function* (
  signIn: Effect.Effect<unknown>,
  promptly: number,
): Effect.fn.Return<ServedTime, never, Scope.Scope> {
  let [served, began, longest] = [0, performance.now(), 0];
  const now = () => served + Math.min(performance.now() - began, PAUSE + promptly);
  const step = Effect.gen(function* () {
    yield* Effect.sleep(PAUSE);
    yield* signIn;
    [served, began] = [now(), performance.now()];
  });
  yield* Effect.forkScoped(Effect.forever(step));

  let computed = process.cpuUsage();
  let looked = performance.now();
  const look = () => {
    const { user, system } = process.cpuUsage(computed);
    const turn = Math.min(performance.now() - looked, (user + system) / 1_000);
    longest = Math.max(longest, turn);
    [computed, looked] = [process.cpuUsage(), performance.now()];
  };
  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(look, TURN)),
    (timer) => Effect.sync(() => clearInterval(timer)),
  );

  const sleep = Effect.fnUntraced(function* (millis: number) {
    const end = now() + millis;
    while (now() < end) yield* Effect.sleep(LOOK);
  });
  return { now, sleep, longestTurn: () => longest };
});
