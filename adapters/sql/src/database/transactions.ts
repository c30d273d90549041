import { StoreUnavailable } from "@postern/core/shared";
import { Cause, Context, Effect, Exit, Semaphore } from "effect";
import { type Kysely, sql } from "kysely";
import type { Engine, Frame } from "./Engine.ts";
import { errorText } from "./error-text.ts";
import type { Tables } from "../tables/Tables.ts";

/** An open transaction or savepoint, as its fibers see it. */
interface Open {
  readonly db: Kysely<Tables>;
  readonly depth: number;
  /**
   * The lock that each query holds, and each savepoint for its whole duration, so that queries inside and outside of a
   * savepoint do not mix.
   */
  readonly turn: Semaphore.Semaphore;
  readonly whole: Whole;
  finished: boolean;
  /** The first failure of a query, after which only a rollback is possible. */
  failure: Cause.Cause<StoreUnavailable> | undefined;
}

/** State shared by a transaction and its savepoints. */
interface Whole {
  conflict: boolean;
  isCommitted: boolean;
  /** Effects to run after the commit. */
  readonly afterwards: Array<Effect.Effect<void>>;
}

const ATTEMPTS = 5;
let instances = 0;

/** Queries and transactions over one database. The fiber carries its transaction in a `Context.Reference`. */
export const transactionsOver = (engine: Engine) => {
  const Current = Context.Reference<Open | undefined>(`@postern/sql/Transaction/${instances++}`, {
    defaultValue: () => undefined,
  });
  const rootTurn = engine.singleConnection ? Semaphore.makeUnsafe(1).withPermits(1) : undefined;
  const inTurn = rootTurn ?? (<A, E, R>(effect: Effect.Effect<A, E, R>) => effect);

  const { durability } = engine;
  const ended = Effect.sync(() => durability?.ended());

  /**
   * Runs an effect with this transaction. The reference has a default, so the requirements of the effect do not change.
   */
  const inside = <A, E, R>(open: Open | undefined, effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, Current, open) as Effect.Effect<A, E, R>;

  const failed = (error: unknown, whole: Whole): Cause.Cause<StoreUnavailable> => {
    const failure = engine.failureOf(error);
    if (failure === "defect") return Cause.die(error);
    if (failure === "conflict") whole.conflict = true;
    return Cause.fail(new StoreUnavailable({ detail: errorText(error) }));
  };

  /** Runs a query. Uninterruptible, because a sent query must end before its connection is used again. */
  const attempt = <A>(work: () => Promise<A>, whole: Whole, open?: Open): Effect.Effect<A, StoreUnavailable> =>
    Effect.uninterruptible(
      Effect.callback((resume) => {
        const fail = (error: unknown) => {
          const cause = failed(error, whole);
          if (open !== undefined) open.failure = cause;
          resume(Effect.failCause(cause));
        };
        try {
          work().then((answer) => resume(Effect.succeed(answer)), fail);
        } catch (error) {
          fail(error);
        }
      }),
    );

  /** Runs the effects that follow the commit. */
  const finish = (whole: Whole): Effect.Effect<void, StoreUnavailable> => {
    const [first = Effect.void, ...more] = whole.afterwards;
    const rest = more.reduce((all, effect) => Effect.andThen(all, effect), first);
    return durability?.isDurable() === false ? Effect.andThen(attempt(durability.durable, whole), rest) : rest;
  };

  /** Runs a transaction again after a conflict. The other transaction has already ended, so no pause is needed. */
  const retried = <A, E, R>(
    effect: (whole: Whole) => Effect.Effect<A, E | StoreUnavailable, R>,
    attempts = 1,
  ): Effect.Effect<A, E | StoreUnavailable, R> =>
    Effect.suspend(() => {
      const whole: Whole = { conflict: false, isCommitted: false, afterwards: [] };
      // The caller may have been interrupted during the commit.
      const finished = Effect.onExit(inTurn(Effect.ensuring(effect(whole), ended)), (exit) => {
        whole.isCommitted ||= Exit.isSuccess(exit);
        return whole.isCommitted ? finish(whole) : Effect.void;
      });
      return Effect.catchCause(finished, (cause) =>
        whole.conflict && !whole.isCommitted && attempts < ATTEMPTS && !Cause.hasInterrupts(cause)
          ? retried(effect, attempts + 1)
          : Effect.failCause(cause),
      );
    });

  /** Returns why the transaction accepts no further query; undefined if it accepts further queries. */
  const over = (open: Open): Cause.Cause<StoreUnavailable> | undefined =>
    open.finished ? Cause.die(new Error(OUTLIVED)) : open.failure;

  const queryIn = <A>(open: Open, build: (db: Kysely<Tables>) => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
    open.turn.withPermits(1)(
      Effect.suspend(() => {
        const cause = over(open);
        return cause === undefined ? attempt(() => build(open.db), open.whole, open) : Effect.failCause(cause);
      }),
    );

  const beginIn = (parent: Open | undefined): Promise<Frame> =>
    parent === undefined ? engine.begin() : beginSavepoint(parent);

  const runIn = <A, E, R>(
    parent: Open | undefined,
    whole: Whole,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | StoreUnavailable, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* (): Effect.fn.Return<A, E | StoreUnavailable, R> {
        const cause = parent === undefined ? undefined : over(parent);
        if (cause !== undefined) return yield* Effect.failCause(cause);
        const frame = yield* attempt(() => beginIn(parent), whole);
        const open: Open = {
          db: frame.db,
          depth: (parent?.depth ?? 0) + 1,
          turn: Semaphore.makeUnsafe(1),
          whole,
          finished: false,
          failure: undefined,
        };
        const exit = yield* Effect.exit(restore(inside(open, effect)));
        // A detached fiber may be running a query.
        yield* open.turn.withPermits(1)(Effect.sync(() => (open.finished = true)));
        const keep = open.failure === undefined ? attempt(frame.keep, whole) : Effect.failCause(open.failure);
        const ended = yield* Effect.exit(Effect.tap(exit, keep));
        if (Exit.isFailure(ended)) yield* undo(frame, parent, whole);
        else if (parent === undefined) whole.isCommitted = true;
        return yield* ended;
      }),
    );

  /** Rolls back. If that fails for a savepoint, the transaction fails; for a transaction, the connection is closed. */
  const undo = (frame: Frame, parent: Open | undefined, whole: Whole): Effect.Effect<void> =>
    Effect.matchCauseEffect(attempt(frame.undo, whole), {
      onSuccess: () => Effect.void,
      onFailure: (cause) =>
        parent === undefined
          ? Effect.logDebug("rollback failed", cause)
          : Effect.sync(() => void (parent.failure = cause)),
    });

  const query = <A>(build: (db: Kysely<Tables>) => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
    Effect.flatMap(Current, (open) =>
      open === undefined ? retried((whole) => attempt(() => build(engine.kysely), whole)) : queryIn(open, build),
    );

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> =>
    Effect.flatMap(Current, (open) =>
      open === undefined
        ? retried((whole) => runIn(undefined, whole, effect))
        : open.turn.withPermits(1)(runIn(open, open.whole, effect)),
    );

  /**
   * Runs a store's own writes. Without a savepoint, the transaction cannot commit after a failure, even if the caller
   * catches it.
   */
  const together = <A, R>(effect: Effect.Effect<A, StoreUnavailable, R>): Effect.Effect<A, StoreUnavailable, R> =>
    Effect.flatMap(Current, (open) =>
      open === undefined
        ? transaction(effect)
        : Effect.onError(effect, (cause) => Effect.sync(() => void (open.failure ??= cause))),
    );

  const isInside = Effect.map(Current, (open) => open !== undefined);

  const outside = <A, E, R>(effect: Effect.Effect<A, E, R>) => inside(undefined, effect);

  const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.flatMap(Current, (open) =>
      open === undefined ? effect : Effect.sync(() => void open.whole.afterwards.push(effect)),
    );

  return { query, transaction, together, isInside, outside, afterCommit };
};

const OUTLIVED = "a fiber outlived the transaction it was forked in; fork it with Database.outside";

const beginSavepoint = async ({ db, depth }: Open): Promise<Frame> => {
  const name = sql.id(`nested_${depth}`);
  await sql`savepoint ${name}`.execute(db);
  const release = () => sql`release savepoint ${name}`.execute(db);
  return { db, keep: release, undo: () => sql`rollback to savepoint ${name}`.execute(db).then(release) };
};
