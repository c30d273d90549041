import { assert, layer } from "@effect/vitest";
import { StoreUnavailable, Transaction } from "@postern/core/shared";
import { type Session, Sessions } from "@postern/core/auth";
import { newBearerSession, newCookieSession } from "@postern/testkit";
import { Cause, Deferred, Effect, Exit, Fiber, type Layer, Option } from "effect";
import { sql } from "kysely";
import { Database } from "../src/index.ts";
import { modifyLocked } from "../src/database/modify-locked.ts";

const insert = Effect.fnUntraced(function* (session: Session) {
  yield* (yield* Sessions).insert(session);
});

const isKept = Effect.fnUntraced(function* ({ id }: Session) {
  return Option.isSome(yield* (yield* Sessions).find(id));
});

/** Violates a constraint. */
const violate = Effect.gen(function* () {
  const { query } = yield* Database;
  yield* query((db) =>
    db
      .insertInto("write_probe")
      .values([{ id: "twice" }, { id: "twice" }])
      .execute(),
  );
});

const defectOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), "it died");
  return Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined;
};

/** The guarantees of `Database` beyond the port `Transaction`, on both databases. */
export const databaseSuite = (name: string, live: Layer.Layer<Database | Transaction | Sessions, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("treats wrong statements and violated constraints as defects, not as outages", () =>
      Effect.gen(function* () {
        const { query } = yield* Database;
        const wrong = yield* Effect.exit(query((db) => sql`select * from nowhere`.execute(db)));
        assert.notInstanceOf(defectOf(wrong), StoreUnavailable);
        assert.notInstanceOf(defectOf(yield* Effect.exit(violate)), StoreUnavailable);
      }),
    );

    it.effect("rolls back a transaction in which a query failed, although the failure was caught", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Database;
        const [first, second] = [yield* newBearerSession, yield* newBearerSession];
        const careless = Effect.gen(function* () {
          yield* insert(first);
          yield* Effect.exit(violate);
          yield* Effect.exit(insert(second));
          return "well";
        });
        defectOf(yield* Effect.exit(transaction(careless)));
        assert.deepStrictEqual([yield* isKept(first), yield* isKept(second)], [false, false]);
      }),
    );

    it.effect("commits the writes of `together`, alone or as part of a transaction", () =>
      Effect.gen(function* () {
        const { transaction, together, isInside } = yield* Database;
        const sessions = [yield* newBearerSession, yield* newBearerSession, yield* newBearerSession];
        const both = (two: ReadonlyArray<Session>) => together(Effect.forEach(two, insert));
        yield* both(sessions.slice(0, 1));
        yield* transaction(both(sessions.slice(1)));
        assert.isFalse(yield* isInside);
        assert.deepStrictEqual(yield* Effect.forEach(sessions, isKept), [true, true, true]);
      }),
    );

    it.effect("rolls back a transaction in which writes of `together` failed", () =>
      Effect.gen(function* () {
        const { transaction, together } = yield* Database;
        const [first, second, alone] = [yield* newBearerSession, yield* newBearerSession, yield* newBearerSession];
        const failing = (session: Session) => together(Effect.andThen(insert(session), Effect.die("failed")));
        yield* Effect.exit(failing(alone));
        const careless = Effect.gen(function* () {
          yield* insert(first);
          yield* Effect.exit(failing(second));
          return "well";
        });
        assert.strictEqual(defectOf(yield* Effect.exit(transaction(careless))), "failed");
        const kept = yield* Effect.forEach([first, second, alone], isKept);
        assert.deepStrictEqual(kept, [false, false, false]);
      }),
    );

    it.effect("continues after the failure of a query in a savepoint was caught", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Database;
        const [first, second] = [yield* newBearerSession, yield* newBearerSession];
        const careful = Effect.gen(function* () {
          yield* insert(first);
          defectOf(yield* Effect.exit(transaction(violate)));
          yield* insert(second);
        });
        yield* transaction(careful);
        assert.deepStrictEqual([yield* isKept(first), yield* isKept(second)], [true, true]);
      }),
    );

    it.effect("dies in a fiber that outlives its transaction, in queries and in transactions", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Database;
        const ended = yield* Deferred.make<void>();
        const session = yield* newBearerSession;
        for (const work of [insert(session), transaction(insert(session))]) {
          const fiber = yield* transaction(Effect.forkDetach(Effect.andThen(Deferred.await(ended), work)));
          yield* Deferred.succeed(ended, undefined);
          assert.match(String(defectOf(yield* Fiber.await(fiber))), /outlived the transaction/);
        }
        assert.isFalse(yield* isKept(session));
      }),
    );

    it.effect("lets a fiber forked outside write independently of the transaction", () =>
      Effect.gen(function* () {
        const { transaction, outside } = yield* Database;
        const [mine, its] = [yield* newBearerSession, yield* newBearerSession];
        const forked = yield* Deferred.make<Fiber.Fiber<void, StoreUnavailable>>();
        const failing = Effect.gen(function* () {
          yield* insert(mine);
          yield* Deferred.succeed(forked, yield* Effect.forkDetach(outside(insert(its))));
          return yield* Effect.fail("no");
        });
        assert.strictEqual(yield* Effect.flip(transaction(failing)), "no");
        yield* Fiber.join(yield* Deferred.await(forked));
        assert.deepStrictEqual([yield* isKept(mine), yield* isKept(its)], [false, true]);
      }),
    );

    it.effect("can be interrupted while it waits for its turn", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Database;
        const open = yield* Deferred.make<void>();
        const begun = yield* Deferred.make<void>();
        const holder = yield* Effect.forkChild(
          transaction(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(open))),
        );
        yield* Deferred.await(begun);
        const session = yield* newBearerSession;
        const waiting = yield* Effect.forkChild(transaction(Effect.andThen(insert(session), Effect.never)));
        yield* Effect.yieldNow;
        yield* Fiber.interrupt(waiting);
        yield* Deferred.succeed(open, undefined);
        yield* Fiber.join(holder);
        assert.isFalse(yield* isKept(session));
      }),
    );

    it.effect("loses no change when many fibers modify one row", () =>
      Effect.gen(function* () {
        const database = yield* Database;
        const session = { ...(yield* newBearerSession), createdAt: 0 };
        yield* insert(session);
        const bump = modifyLocked(
          database,
          (db) => db.selectFrom("session").selectAll().where("id", "=", session.id),
          (row) =>
            database.query((db) =>
              db
                .updateTable("session")
                .set({ created_at: Option.getOrThrow(row).created_at + 1 })
                .where("id", "=", session.id)
                .execute(),
            ),
        );
        yield* Effect.all(
          Array.from({ length: 50 }, () => bump),
          { concurrency: "unbounded" },
        );
        const found = Option.getOrThrow(yield* (yield* Sessions).find(session.id));
        assert.strictEqual(found.createdAt, 50);
      }),
    );

    it.effect("rolls back a modification that fails, and passes none if the row does not exist", () =>
      Effect.gen(function* () {
        const database = yield* Database;
        const session = yield* newBearerSession;
        const failing = modifyLocked(
          database,
          (db) => db.selectFrom("session").selectAll().where("id", "=", session.id),
          (row) => Effect.andThen(insert(session), Effect.fail(Option.isNone(row) ? "none" : "some")),
        );
        assert.strictEqual(yield* Effect.flip(failing), "none");
        assert.isFalse(yield* isKept(session));
      }),
    );

    it.effect("stores times of 64 bits", () =>
      Effect.gen(function* () {
        const session = { ...(yield* newCookieSession), createdAt: -1, expiresAt: Number.MAX_SAFE_INTEGER };
        yield* insert(session);
        assert.deepStrictEqual(yield* (yield* Sessions).find(session.id), Option.some(session));
      }),
    );

    it.effect("finds nothing by ids that no database can store", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        for (const id of ["\0", "a\0b", "\ud800"]) assert.isTrue(Option.isNone(yield* sessions.find(id)));
      }),
    );
  });
