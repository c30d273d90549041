import { assert, layer } from "@effect/vitest";
import { StoreUnavailable, Transaction } from "@postern/core/shared";
import { type Session, Sessions } from "@postern/core/auth";
import { Cause, Deferred, Effect, Exit, Fiber, type Layer } from "effect";
import { newBearerSession } from "../../fixtures/new-session.ts";
import { errorOf } from "../error-of.ts";

/** Inserts a new session and returns it. */
const write = Effect.gen(function* () {
  const session = yield* newBearerSession;
  yield* (yield* Sessions).insert(session);
  return session;
});

const isKept = Effect.fnUntraced(function* ({ account, id }: Session) {
  return (yield* (yield* Sessions).list(account, 0, 10)).some((session) => session.id === id);
});

const assertKept = Effect.fnUntraced(function* (expected: boolean, all: ReadonlyArray<Session>) {
  for (const session of all) assert.strictEqual(yield* isKept(session), expected, `${session.id} is kept`);
});

const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect));

/** The contract of `Transaction`, observed through the sessions. */
export const transactionContract = (name: string, live: Layer.Layer<Transaction | Sessions, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("commits all writes and returns the effect's result", () =>
      Effect.gen(function* () {
        const ids = yield* run(Effect.all([write, write]));
        yield* assertKept(true, ids);
      }),
    );

    it.effect("reads its own writes", () =>
      Effect.gen(function* () {
        assert.isTrue(yield* run(Effect.flatMap(write, isKept)));
      }),
    );

    it.effect("rolls back when the effect fails, with its failure", () =>
      Effect.gen(function* () {
        const ids: Array<Session> = [];
        const failing = Effect.gen(function* () {
          ids.push(yield* write, yield* write);
          return yield* Effect.fail("refused" as const);
        });
        assert.strictEqual(yield* errorOf(run(failing)), "refused");
        assert.lengthOf(ids, 2);
        yield* assertKept(false, ids);
      }),
    );

    it.effect("rolls back when the effect dies, with its defect", () =>
      Effect.gen(function* () {
        const ids: Array<Session> = [];
        const defect = new Error("a bug");
        const dying = Effect.gen(function* () {
          ids.push(yield* write);
          return yield* Effect.die(defect);
        });
        const exit = yield* Effect.exit(run(dying));
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === defect);
        yield* assertKept(false, ids);
      }),
    );

    it.effect("rolls back when it is interrupted [S9.2-4]", () =>
      Effect.gen(function* () {
        const written = yield* Deferred.make<Session>();
        const waiting = Effect.gen(function* () {
          yield* Deferred.succeed(written, yield* write);
          return yield* Effect.never;
        });
        const fiber = yield* Effect.forkChild(run(waiting));
        const id = yield* Deferred.await(written);
        yield* Fiber.interrupt(fiber);
        yield* assertKept(false, [id]);
      }),
    );

    it.effect("works after a rollback", () =>
      Effect.gen(function* () {
        for (let times = 0; times < 30; times++) yield* errorOf(run(Effect.andThen(write, Effect.fail("no"))));
        yield* assertKept(true, [yield* run(write), yield* write]);
      }),
    );

    it.effect("rolls back only the inner transaction when that fails and the outer one continues [S9.2-4]", () =>
      Effect.gen(function* () {
        const inner: Array<Session> = [];
        const outer = yield* run(
          Effect.gen(function* () {
            const before = yield* write;
            const failing = Effect.andThen(
              Effect.map(write, (id) => inner.push(id)),
              Effect.fail("inner"),
            );
            assert.strictEqual(yield* errorOf(run(failing)), "inner");
            yield* assertKept(false, inner);
            return [before, yield* write];
          }),
        );
        yield* assertKept(true, outer);
        yield* assertKept(false, inner);
      }),
    );

    it.effect("rolls back a successful inner transaction when the outer one fails", () =>
      Effect.gen(function* () {
        const ids: Array<Session> = [];
        const failing = Effect.gen(function* () {
          ids.push(yield* run(run(write)), yield* write);
          return yield* Effect.fail("outer");
        });
        assert.strictEqual(yield* errorOf(run(failing)), "outer");
        yield* assertKept(false, ids);
      }),
    );

    it.effect("rolls back only the inner transaction when that is interrupted", () =>
      Effect.gen(function* () {
        const [outer, inner] = yield* run(
          Effect.gen(function* () {
            const written = yield* Deferred.make<Session>();
            const waiting = Effect.andThen(
              Effect.flatMap(write, (id) => Deferred.succeed(written, id)),
              Effect.never,
            );
            const fiber = yield* Effect.forkChild(run(waiting));
            const id = yield* Deferred.await(written);
            yield* Fiber.interrupt(fiber);
            return [yield* write, id] as const;
          }),
        );
        yield* assertKept(true, [outer]);
        yield* assertKept(false, [inner]);
      }),
    );

    it.effect("includes writes of several fibers, and concurrent inner transactions", () =>
      Effect.gen(function* () {
        const undone: Array<Session> = [];
        const failing = Effect.andThen(
          Effect.map(write, (id) => undone.push(id)),
          Effect.fail("inner"),
        );
        const works = Array.from({ length: 12 }, (_, n) =>
          n % 3 === 0 ? Effect.as(errorOf(run(failing)), undefined) : n % 3 === 1 ? run(write) : write,
        );
        const ids = yield* run(Effect.all(works, { concurrency: "unbounded" }));
        assert.lengthOf(undone, 4);
        yield* assertKept(false, undone);
        yield* assertKept(
          true,
          ids.filter((session) => session !== undefined),
        );
      }),
    );

    it.effect("isolates concurrent transactions", () =>
      Effect.gen(function* () {
        const undone: Array<Session> = [];
        const failing = Effect.gen(function* () {
          undone.push(yield* write);
          yield* Effect.yieldNow;
          undone.push(yield* write);
          return yield* Effect.fail("no");
        });
        const works = Array.from({ length: 40 }, (_, n) =>
          n % 2 === 0 ? Effect.as(errorOf(run(failing)), undefined) : run(Effect.andThen(Effect.yieldNow, write)),
        );
        const ids = yield* Effect.all(works, { concurrency: "unbounded" });
        assert.lengthOf(undone, 40);
        yield* assertKept(false, undone);
        yield* assertKept(
          true,
          ids.filter((session) => session !== undefined),
        );
      }),
    );

    it.effect("shows others nothing before it commits, and keeps their writes", () =>
      Effect.gen(function* () {
        const written = yield* Deferred.make<Session>();
        const open = yield* Deferred.make<void>();
        const failing = Effect.gen(function* () {
          yield* Deferred.succeed(written, yield* write);
          yield* Deferred.await(open);
          return yield* Effect.fail("no");
        });
        const fiber = yield* Effect.forkChild(run(failing));
        const id = yield* Deferred.await(written);
        const seen = yield* Effect.forkChild(isKept(id));
        const others = yield* Effect.forkChild(write);
        for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow;
        yield* Deferred.succeed(open, undefined);
        assert.isFalse(yield* Fiber.join(seen));
        yield* Fiber.await(fiber);
        yield* assertKept(true, [yield* Fiber.join(others)]);
      }),
    );

    it.effect("reports a lost write to a fiber that outlives it", () =>
      Effect.gen(function* () {
        const ended = yield* Deferred.make<void>();
        const left = yield* run(Effect.forkDetach(Effect.exit(Effect.andThen(Deferred.await(ended), write))));
        yield* Deferred.succeed(ended, undefined);
        const exit = yield* Fiber.join(left);
        if (Exit.isSuccess(exit)) yield* assertKept(true, [exit.value]);
        else assert.isFalse(Cause.squash(exit.cause) instanceof StoreUnavailable, "it is a bug, not an outage");
        yield* assertKept(true, [yield* run(write)]);
      }),
    );
  });
