import { Transaction } from "@postern/core/shared";
import { Context, Effect, Exit, Layer, Semaphore } from "effect";

/** A value that a rollback restores. Never change it in place. */
export interface Cell<A> {
  readonly get: Effect.Effect<A>;
  /** Replaces the value by one computed from it. Returns the other part of the result. */
  readonly modify: <B>(change: (value: A) => readonly [B, A]) => Effect.Effect<B>;
}

/** An open transaction or savepoint; queries beside it wait for its turn. */
interface Frame {
  readonly turn: Semaphore.Semaphore;
  finished: boolean;
}

/** The state of this package's stores, shared so that a transaction covers all of them. */
export class Memory extends Context.Service<
  Memory,
  {
    readonly cell: <A>(initial: A) => Effect.Effect<Cell<A>>;
  }
>()("@postern/memory/Memory") {
  /** The memory of one service, with the port `Transaction`; transactions run one at a time. */
  static readonly layer: Layer.Layer<Memory | Transaction> = Layer.effectContext(
    Effect.sync(() => {
      const root: Frame = { turn: Semaphore.makeUnsafe(1), finished: false };
      const Current = Context.Reference<Frame>("@postern/memory/Frame", { defaultValue: () => root });
      const values: Array<unknown> = [];

      const inTurn = <A>(work: () => A): Effect.Effect<A> =>
        Effect.flatMap(Current, (frame) =>
          frame.turn.withPermits(1)(
            Effect.suspend(() =>
              frame.finished ? Effect.die(new Error("a fiber outlived its transaction")) : Effect.sync(work),
            ),
          ),
        );

      const cell = <A>(initial: A) =>
        Effect.sync((): Cell<A> => {
          const index = values.push(initial) - 1;
          return {
            get: inTurn(() => values[index] as A),
            modify: (change) =>
              inTurn(() => {
                const [answer, value] = change(values[index] as A);
                values[index] = value;
                return answer;
              }),
          };
        });

      const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.flatMap(Current, (outer) =>
          outer.turn.withPermits(1)(
            Effect.uninterruptibleMask((restore) =>
              Effect.gen(function* (): Effect.fn.Return<A, E, R> {
                const before = [...values];
                const frame: Frame = { turn: Semaphore.makeUnsafe(1), finished: false };
                const inside = Effect.provideService(effect, Current, frame) as Effect.Effect<A, E, R>;
                const exit = yield* Effect.exit(restore(inside));
                yield* frame.turn.withPermits(1)(Effect.sync(() => (frame.finished = true)));
                if (Exit.isFailure(exit)) before.forEach((value, index) => (values[index] = value));
                return yield* exit;
              }),
            ),
          ),
        );

      return Context.make(Memory, { cell }).pipe(Context.add(Transaction, { run }));
    }),
  );
}
