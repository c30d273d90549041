import { Transaction } from "@postern/core/shared";
import { Context, Effect, Exit, Layer, Semaphore } from "effect";

/** A value that transactions put back when they are undone. It must never be changed in place. */
export interface Cell<A> {
  readonly get: Effect.Effect<A>;
  /** Puts a value made of the present one in its place, and answers with what goes with it. */
  readonly modify: <B>(change: (value: A) => readonly [B, A]) => Effect.Effect<B>;
}

/** A transaction or savepoint under way; what is beside it waits for its turn. */
interface Frame {
  readonly turn: Semaphore.Semaphore;
  finished: boolean;
}

/** What the stores of this package keep their state in, so that a transaction covers all of them. */
export class Memory extends Context.Service<
  Memory,
  {
    readonly cell: <A>(initial: A) => Effect.Effect<Cell<A>>;
  }
>()("@postern/memory/Memory") {
  /** The memory of one service and the port `Transaction` over it; transactions take turns with everything else. */
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
