import { StoreUnavailable } from "@postern/core/shared";
import { Cause, Context, Effect, Exit, Semaphore } from "effect";
import { changedRows, rowsIn } from "./changed-rows.ts";
import { OpenTransactions, type StoreTransaction } from "./OpenTransactions.ts";
import type { Cell, StoreClient } from "./StoreClient.ts";
import type { StoreConditions } from "./StoreConditions.ts";
import { StoreWakeUps } from "./StoreWakeUps.ts";

/** A transaction or savepoint, as its fibers see it. */
interface Frame {
  readonly transaction: StoreTransaction;
  /** The lock that each statement holds, and a savepoint for its whole duration. */
  readonly turn: Semaphore.Semaphore;
  finished: boolean;
  /** The first failure of a statement, after which only a rollback is possible. */
  failure: StoreUnavailable | undefined;
}

/** The result of a statement that has to wait until a transaction ends. */
class Blocked {
  readonly by: StoreTransaction;

  constructor(by: StoreTransaction) {
    this.by = by;
  }
}

const ATTEMPTS = 5;
/** The cell of locked names. */
const NAMES = "";
let instances = 0;

/**
 * A store for several nodes that treats transactions as PostgreSQL does: read committed, a lock on each changed row,
 * and savepoints. Without conditions the store has one client and never fails, except for deadlocks.
 */
export class SimulatedStore {
  readonly #conditions: StoreConditions | undefined;
  readonly #committed = new Map<string, unknown>();
  readonly #open: OpenTransactions;
  readonly #wakeUps = new StoreWakeUps();
  /** The reference that holds the transaction of a fiber. */
  readonly #Current = Context.Reference<Frame | undefined>(`@postern/memory/Transaction/${instances++}`, {
    defaultValue: () => undefined,
  });

  constructor(conditions?: StoreConditions) {
    this.#conditions = conditions;
    this.#open = new OpenTransactions(conditions);
  }

  /** Ends every open transaction, without its changes. */
  restart(): void {
    this.#open.endAll();
  }

  /** Returns a connection; `client` is its name in the conditions. */
  client(client: string): StoreClient {
    const cell = <A>(name: string, initial: A) =>
      Effect.sync((): Cell<A> => {
        if (!this.#committed.has(name)) this.#committed.set(name, initial);
        return {
          get: this.#statement((own) => this.#read(own, name) as A),
          modify: (change) =>
            this.#statement((own) => {
              const before = this.#read(own, name) as A;
              const isLocked = (key: string) => this.#open.holderOf(own, name, () => [key]) !== undefined;
              const [answer, after] = change(before, isLocked);
              if (after === before) return answer;
              const holder = this.#open.holderOf(own, name, () => changedRows(before, after));
              if (holder !== undefined) return new Blocked(holder);
              if (own === undefined) this.#committed.set(name, after);
              else own.write(name, this.#committed.get(name), after);
              return answer;
            }),
          lock: (keys) => this.#lock(name, keys),
        };
      });
    return {
      cell,
      lockNames: (names) => this.#lock(NAMES, names),
      wake: (name) =>
        Effect.flatMap(this.#Current, (frame) =>
          frame === undefined ? this.#wake([name]) : Effect.sync(() => void frame.transaction.wakes.push(name)),
        ),
      listen: (name) => this.#wakeUps.listen(client, name, this.#conditions?.pollMillis),
      isOursAlone: this.#conditions === undefined,
      transaction: (effect) =>
        Effect.flatMap(this.#Current, (outer) =>
          outer === undefined
            ? this.#transaction(client, effect)
            : outer.turn.withPermits(1)(this.#savepoint(outer, effect)),
        ),
    };
  }

  /** The number of committed rows by the name of their cell. */
  get rows(): ReadonlyMap<string, number> {
    return new Map([...this.#committed].map(([name, value]) => [name, rowsIn(value)]));
  }

  #read(own: StoreTransaction | undefined, cell: string): unknown {
    const committed = this.#committed.get(cell);
    return own === undefined ? committed : own.read(cell, committed);
  }

  #lock(cell: string, keys: ReadonlyArray<string>): Effect.Effect<void, StoreUnavailable> {
    return this.#statement((own) => {
      const holder = this.#open.holderOf(own, cell, () => keys);
      return holder === undefined ? own?.lock(cell, keys) : new Blocked(holder);
    });
  }

  /**
   * Runs a statement, in the fiber's transaction if there is one. If another transaction blocks it, runs it again after
   * that transaction has ended.
   */
  #statement<A>(work: (own: StoreTransaction | undefined) => A | Blocked): Effect.Effect<A, StoreUnavailable> {
    return Effect.withFiber((fiber) => {
      const frame = fiber.getRef(this.#Current);
      return frame === undefined ? this.#attempt(work, undefined) : this.#attemptIn(frame, work);
    });
  }

  #attemptIn<A>(
    frame: Frame,
    work: (own: StoreTransaction | undefined) => A | Blocked,
  ): Effect.Effect<A, StoreUnavailable> {
    return frame.turn.withPermits(1)(
      Effect.suspend(() =>
        frame.finished
          ? Effect.die(new Error(OUTLIVED))
          : Effect.tapError(this.#attempt(work, frame), (failure) => Effect.sync(() => (frame.failure ??= failure))),
      ),
    );
  }

  #attempt<A>(
    work: (own: StoreTransaction | undefined) => A | Blocked,
    frame: Frame | undefined,
    deadline?: number,
  ): Effect.Effect<A, StoreUnavailable> {
    const own = frame?.transaction;
    const failure = frame && this.#failureOf(frame);
    if (failure !== undefined) return Effect.fail(failure);
    const answer = work(own);
    if (answer instanceof Blocked) {
      const until = deadline ?? this.#open.lockDeadline;
      return Effect.andThen(
        this.#open.waitFor(answer.by, own, until),
        Effect.suspend(() => this.#attempt(work, frame, until)),
      );
    }
    if (own !== undefined) own.idleSince = this.#open.now;
    return Effect.succeed(answer);
  }

  /** Returns why the transaction accepts no further statement; undefined if it accepts further statements. */
  #failureOf(frame: Frame): StoreUnavailable | undefined {
    if (this.#open.hasEnded(frame.transaction))
      frame.failure ??= unavailable("the server restarted, or the transaction was idle for too long");
    return frame.failure;
  }

  /** Runs an effect in a frame, and waits for statements of its fibers that outlast the effect. */
  #inside<A, E, R>(frame: Frame, effect: Effect.Effect<A, E, R>) {
    // The reference has a default, so the requirements of the effect do not change.
    const inside = Effect.provideService(effect, this.#Current, frame) as Effect.Effect<A, E, R>;
    return Effect.tap(Effect.exit(inside), frame.turn.withPermits(1)(Effect.sync(() => (frame.finished = true))));
  }

  #transaction<A, E, R>(
    client: string,
    effect: Effect.Effect<A, E, R>,
    attempts = 1,
  ): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function* (): Effect.fn.Return<A, E | StoreUnavailable, R> {
        const transaction = this.#open.begin(client);
        const frame = frameOf(transaction);
        const exit = yield* this.#inside(frame, restore(effect));
        const ended: Exit.Exit<A, E | StoreUnavailable> = Exit.isFailure(exit)
          ? exit
          : yield* Effect.exit(Effect.as(this.#commit(frame), exit.value));
        this.#open.end(transaction);
        if (Exit.isSuccess(ended)) return ended.value;
        const isOnceMore = transaction.isConflict && attempts < ATTEMPTS && !Cause.hasInterrupts(ended.cause);
        if (!isOnceMore) return yield* ended;
        // Transactions that waited for its locks get them first.
        yield* Effect.yieldNow;
        return yield* restore(this.#transaction(client, effect, attempts + 1));
      }),
    );
  }

  #commit(frame: Frame): Effect.Effect<void, StoreUnavailable> {
    return Effect.suspend(() => {
      const failure = this.#failureOf(frame);
      if (failure !== undefined) return Effect.fail(failure);
      const { transaction } = frame;
      const outcome = this.#conditions?.commit(transaction.client) ?? "committed";
      if (outcome === "conflict") transaction.isConflict = true;
      if (outcome === "conflict" || outcome === "refused") return Effect.fail(unavailable(outcome));
      for (const cell of transaction.changedCells) this.#committed.set(cell, this.#read(transaction, cell));
      this.#open.end(transaction);
      // A client whose commit was lost does not know of the commit, so it wakes no listeners.
      return outcome === "lost" ? Effect.fail(unavailable("the commit was lost")) : this.#wake(transaction.wakes);
    });
  }

  #savepoint<A, E, R>(outer: Frame, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function* (): Effect.fn.Return<A, E | StoreUnavailable, R> {
        const failure = this.#failureOf(outer);
        if (failure !== undefined) return yield* failure;
        const rollback = outer.transaction.savepoint();
        const frame = frameOf(outer.transaction);
        const exit = yield* this.#inside(frame, restore(effect));
        if (Exit.isSuccess(exit) && frame.failure === undefined) return exit.value;
        rollback();
        return yield* Exit.isFailure(exit) ? exit : frame.failure!;
      }),
    );
  }

  #wake(names: ReadonlyArray<string>): Effect.Effect<void> {
    if (this.#conditions === undefined) return this.#wakeUps.wake(names);
    const { clock, wakeMillis } = this.#conditions;
    return this.#wakeUps.wake(names, { clock, millis: wakeMillis });
  }
}

const frameOf = (transaction: StoreTransaction): Frame => ({
  transaction,
  turn: Semaphore.makeUnsafe(1),
  finished: false,
  failure: undefined,
});

const unavailable = (detail: string) => new StoreUnavailable({ detail });

const OUTLIVED = "a fiber outlived its transaction";
