import { assert, layer } from "@effect/vitest";
import { AccountId, StoreUnavailable, Transaction } from "@postern/core/shared";
import { AccountWatches } from "@postern/core/watch";
import { Sessions } from "@postern/core/auth";
import { describeWithPostgres, newBearerSession, Postgres } from "@postern/testkit";
import { Context, Deferred, Effect, Fiber, Layer, Option } from "effect";
import { Kysely, sql } from "kysely";
import { Database, DatabaseRefused, DatabaseTooNew, DatabaseUnreachable } from "../src/index.ts";
import { dialect, openPool } from "../src/postgres/dialect.ts";
import type { Tables } from "../src/tables/Tables.ts";
import { migrations } from "../src/migrations/index.ts";
import { databaseSuite } from "./database-suite.ts";
import { onNewPostgres, onPostgres } from "./databases.ts";
import { ice } from "./ice.ts";
import { useOldDatabase, writeOldDatabase } from "./old-database.ts";
import { secrecySuite } from "./secrecy-suite.ts";
import { serviceSecretsSuite } from "./service-secrets-suite.ts";
import { unreadableRowsSuite } from "./unreadable-rows-suite.ts";

const newDatabase = Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase);
const open = (url: string, options: Parameters<typeof onPostgres>[1] = {}) => Layer.build(onPostgres(url, options));

const servicesOf = <R>(context: Context.Context<Database | Transaction | Sessions | R>) => ({
  ...Context.get(context, Database),
  sessions: Context.get(context, Sessions),
});

/** Returns the failure, which must occur within `millis` of real time. */
const failsWithin = Effect.fnUntraced(function* <E, R>(millis: number, attempt: Effect.Effect<unknown, E, R>) {
  const began = performance.now();
  const error = yield* Effect.flip(attempt);
  assert.isBelow(performance.now() - began, millis);
  return error;
});

const elsewhere = (url: string, change: (url: URL) => void): string => {
  const changed = new URL(url);
  change(changed);
  return changed.href;
};

describeWithPostgres("the database on PostgreSQL", () => {
  databaseSuite("Database on PostgreSQL", onNewPostgres);
  serviceSecretsSuite("PostgreSQL", () => onNewPostgres);
  unreadableRowsSuite("PostgreSQL", onNewPostgres);

  secrecySuite(
    "the tables on PostgreSQL",
    onNewPostgres,
    Effect.gen(function* () {
      const { query } = yield* Database;
      const { rows: tables } = yield* query((db) =>
        sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db),
      );
      const dumps = yield* Effect.forEach(tables, ({ name }) =>
        query((db) => sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(db)),
      );
      return Buffer.from(dumps.flatMap(({ rows }) => rows.map(({ line }) => line)).join("\n"));
    }),
  );

  layer(Postgres.layer, { excludeTestServices: true })("PostgreSQL", (it) => {
    it.effect("is migrated once when several processes start", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const all = yield* Effect.all(
          Array.from({ length: 6 }, () => open(url)),
          { concurrency: "unbounded" },
        );
        const { query } = servicesOf(all[0]!);
        const applied = yield* query((db) => db.selectFrom("migration").selectAll().execute());
        assert.deepStrictEqual(
          applied.map(({ name }) => name),
          migrations.map(({ name }) => name),
        );
      }),
    );

    it.effect("shows one process the writes of another", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const [one, other] = [servicesOf(yield* open(url)), servicesOf(yield* open(url))];
        const session = yield* newBearerSession;
        yield* one.sessions.insert(session);
        assert.deepStrictEqual(yield* other.sessions.find(session.id), Option.some(session));
      }),
    );

    it.effect("migrates a database from before deliveries had a position", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const kysely = new Kysely<Tables>({ dialect: dialect(openPool({ connectionString: url, max: 1 }, () => {})) });
        yield* Effect.promise(() => writeOldDatabase(kysely));
        yield* Effect.promise(() => kysely.destroy());
        yield* Effect.provideContext(useOldDatabase, yield* open(url));
      }),
    );

    it.effect("ends a silent transaction that holds a lock within seconds", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const [absent, present] = [servicesOf(yield* open(url)), servicesOf(yield* open(url))];
        const session = yield* newBearerSession;
        yield* present.sessions.insert(session);
        const [locked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
        const take = (db: Database["Service"]) =>
          db.query((on) => db.lockRows(on.selectFrom("session").selectAll().where("id", "=", session.id)).execute());
        const holding = yield* Effect.forkChild(
          absent.transaction(
            Effect.gen(function* () {
              yield* take(absent);
              yield* Deferred.succeed(locked, undefined);
              yield* Deferred.await(answered);
              yield* absent.sessions.removeAll(session.account);
            }),
          ),
        );
        yield* Deferred.await(locked);
        const began = performance.now();
        yield* present.transaction(take(present));
        assert.isBelow(performance.now() - began, 5_000);
        yield* Deferred.succeed(answered, undefined);
        assert.instanceOf(yield* Effect.flip(Fiber.join(holding)), StoreUnavailable);
        assert.deepStrictEqual(yield* present.sessions.find(session.id), Option.some(session));
        yield* absent.sessions.removeAll(session.account);
        assert.deepStrictEqual(yield* present.sessions.find(session.id), Option.none());
      }),
    );

    it.effect("configures the server to detect a lost peer", () =>
      Effect.gen(function* () {
        const { query } = servicesOf(yield* open(yield* newDatabase));
        const { rows } = yield* query((db) =>
          sql<{ name: string; setting: string }>`select name, setting from pg_settings
            where name like 'tcp_%' or name in ('lock_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
            db,
          ),
        );
        assert.deepStrictEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
          idle_in_transaction_session_timeout: "3000",
          lock_timeout: "5000",
          tcp_keepalives_count: "2",
          tcp_keepalives_idle: "5",
          tcp_keepalives_interval: "2",
          tcp_user_timeout: "8000",
        });
      }),
    );

    it.effect("refuses a database of a later version", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const { query } = servicesOf(yield* open(url));
        const later = { name: "9999-of-the-future", applied_at: 1 };
        yield* query((db) => db.insertInto("migration").values(later).execute());
        assert.instanceOf(yield* Effect.flip(open(url)), DatabaseTooNew);
      }),
    );

    it.effect("fails at once on a refused connection, without repeating the password", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const missing = elsewhere(url, (changed) => {
          changed.pathname = "/no_such_database";
          changed.password = "canary-81";
        });
        const refusals = [
          yield* failsWithin(5_000, open(missing)),
          yield* failsWithin(5_000, open("postgres://me:canary-81@[::host/x")),
        ];
        for (const refusal of refusals) {
          assert.instanceOf(refusal, DatabaseRefused);
          assert.notInclude(`${refusal.message} ${JSON.stringify(refusal)} ${String(refusal)}`, "canary");
        }
      }),
    );

    it.effect("completes two transactions that lock the same rows in opposite order", () =>
      Effect.gen(function* () {
        const { query, transaction, lockRows, sessions } = servicesOf(yield* open(yield* newDatabase));
        const rows = [yield* newBearerSession, yield* newBearerSession] as const;
        yield* Effect.forEach(rows, sessions.insert);
        const lock = (id: string) =>
          query((db) => lockRows(db.selectFrom("session").select("id").where("id", "=", id)).execute());
        let attempts = 0;
        const met = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const;
        const inOrder = (mine: 0 | 1, then: 0 | 1) =>
          transaction(
            Effect.gen(function* () {
              attempts++;
              yield* lock(rows[mine].id);
              yield* Deferred.succeed(met[mine], undefined);
              yield* Deferred.await(met[then]);
              yield* lock(rows[then].id);
            }),
          );
        yield* Effect.all([inOrder(0, 1), inOrder(1, 0)], { concurrency: "unbounded" });
        assert.isAtLeast(attempts, 3, "the transactions deadlocked and were retried");
      }),
    );

    it.effect("renews the leases of watches while the arrival of one account is being written", () =>
      Effect.gen(function* () {
        const context = yield* open(yield* newDatabase);
        const { transaction } = servicesOf(context);
        const watches = Context.get(context, AccountWatches);
        const accounts = [AccountId("ann@x.test"), AccountId("bob@x.test")];
        for (const account of accounts) yield* watches.add(account, 8e12);
        const [watch] = yield* watches.claim(1, { token: "node", until: 10 }, 2);
        const [begun, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
        const writing = Effect.gen(function* () {
          assert.isTrue(yield* watches.holds(watch!, "node"));
          yield* Deferred.succeed(begun, undefined);
          yield* Deferred.await(done);
        });
        const writer = yield* Effect.forkChild(transaction(writing));
        yield* Deferred.await(begun);
        const held = yield* watches.renew({ token: "node", until: 20 });
        assert.deepStrictEqual(
          held.map(({ account }) => account),
          accounts,
        );
        assert.lengthOf(yield* watches.claim(15, { token: "other", until: 25 }, 2), 0);
        yield* Deferred.succeed(done, undefined);
        yield* Fiber.join(writer);
        yield* watches.renew({ token: "node", until: 20 });
        assert.lengthOf(yield* watches.claim(15, { token: "other", until: 25 }, 2), 0);
      }),
    );

    it.effect("is unavailable when no connection is free in time, and recovers", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const { transaction, sessions } = servicesOf(yield* open(url, { poolSize: 1, connectTimeout: "300 millis" }));
        const [begun, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
        const session = yield* newBearerSession;
        const holding = Effect.gen(function* () {
          yield* sessions.insert(session);
          yield* Deferred.succeed(begun, undefined);
          yield* Deferred.await(done);
        });
        const holder = yield* Effect.forkChild(transaction(holding));
        yield* Deferred.await(begun);
        assert.instanceOf(yield* failsWithin(2_000, sessions.find("any")), StoreUnavailable);
        assert.instanceOf(yield* failsWithin(2_000, transaction(sessions.find("any"))), StoreUnavailable);
        yield* Deferred.succeed(done, undefined);
        yield* Fiber.join(holder);
        assert.isTrue(Option.isSome(yield* sessions.find(session.id)));
      }),
    );

    it.effect("cancels a statement that takes too long and keeps the connection", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const { query } = servicesOf(yield* open(url, { poolSize: 1, statementTimeout: "200 millis" }));
        const pid = query((db) => sql`select pg_backend_pid()`.execute(db));
        const before = yield* pid;
        const slow = query((db) => sql`select pg_sleep(20)`.execute(db));
        assert.instanceOf(yield* failsWithin(2_000, slow), StoreUnavailable);
        assert.deepStrictEqual((yield* pid).rows, before.rows);
      }),
    );

    it.effect("is unavailable while the network drops all packets, and recovers on new connections", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const { hostname, port } = new URL(url);
        const between = yield* ice(hostname, Number(port || 5432));
        const throughIce = elsewhere(url, (changed) => (changed.host = `127.0.0.1:${between.port}`));
        const options = { poolSize: 1, connectTimeout: "300 millis", statementTimeout: "100 millis" } as const;
        const { query, transaction, sessions } = servicesOf(yield* open(throughIce, options));
        const session = yield* newBearerSession;
        yield* sessions.insert(session);

        const cut = Effect.gen(function* () {
          yield* query((db) => sql`select 1`.execute(db));
          between.freeze();
          yield* sessions.insert(yield* newBearerSession);
        });
        assert.instanceOf(yield* failsWithin(3_500, transaction(cut)), StoreUnavailable);
        assert.instanceOf(yield* failsWithin(5_000, sessions.find(session.id)), StoreUnavailable);
        between.thaw();
        assert.isTrue(Option.isSome(yield* sessions.find(session.id)));
      }),
    );

    it.effect("fails at start on an address without a server", () =>
      Effect.gen(function* () {
        const between = yield* ice("127.0.0.1", 1);
        between.freeze();
        const url = `postgres://postgres@127.0.0.1:${between.port}/postgres`;
        const options = { connectTimeout: "200 millis", startTimeout: "1 second" } as const;
        assert.instanceOf(yield* failsWithin(5_000, open(url, options)), DatabaseUnreachable);
      }),
    );
  });
});

describeWithPostgres(
  "PostgreSQL that goes away",
  () => {
    layer(Postgres.own, { excludeTestServices: true })("an outage", (it) => {
      it.effect("is retried at start", () =>
        Effect.gen(function* () {
          const server = yield* Postgres;
          const url = yield* server.newDatabase;
          yield* server.stop("immediate");
          const starting = yield* Effect.forkChild(open(url));
          yield* Effect.sleep("700 millis");
          assert.isUndefined(starting.pollUnsafe());
          yield* server.start;
          const { sessions } = servicesOf(yield* Fiber.join(starting));
          assert.isTrue(Option.isNone(yield* sessions.find("any")));
        }),
      );

      it.effect("fails at start after the timeout", () =>
        Effect.gen(function* () {
          const server = yield* Postgres;
          const url = yield* server.newDatabase;
          yield* server.stop("fast");
          const failure = yield* failsWithin(5_000, open(url, { startTimeout: "1 second" }));
          assert.instanceOf(failure, DatabaseUnreachable);
          assert.match(failure.message, /did not answer for 1 s: .*ECONNREFUSED/);
          yield* server.start;
        }),
      );

      for (const how of ["immediate", "fast"] as const) {
        it.effect(`(${how}) fails running work at once and recovers with the server`, () =>
          Effect.gen(function* () {
            const server = yield* Postgres;
            const { query, transaction, sessions } = servicesOf(yield* open(yield* server.newDatabase));
            const [kept, lost] = [yield* newBearerSession, yield* newBearerSession];
            yield* sessions.insert(kept);
            // Several idle connections, one in a query and one between queries of a transaction.
            yield* Effect.all(
              Array.from({ length: 5 }, () => sessions.find(kept.id)),
              { concurrency: "unbounded" },
            );
            const sleeping = yield* Effect.forkChild(query((db) => sql`select pg_sleep(20)`.execute(db)));
            const [begun, gone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
            const writing = Effect.gen(function* () {
              yield* sessions.insert(lost);
              yield* Deferred.succeed(begun, undefined);
              yield* Deferred.await(gone);
            });
            const open_ = yield* Effect.forkChild(transaction(writing));
            yield* Deferred.await(begun);
            yield* server.stop(how);
            yield* Deferred.succeed(gone, undefined);

            for (const fiber of [sleeping, open_]) {
              assert.instanceOf(yield* Effect.flip(Fiber.join<unknown, StoreUnavailable>(fiber)), StoreUnavailable);
            }
            for (let times = 0; times < 20; times++) {
              assert.instanceOf(yield* failsWithin(1_000, sessions.find(kept.id)), StoreUnavailable);
            }
            assert.instanceOf(yield* failsWithin(1_000, transaction(sessions.insert(lost))), StoreUnavailable);

            yield* server.start;
            assert.isTrue(Option.isSome(yield* sessions.find(kept.id)));
            assert.isTrue(Option.isNone(yield* sessions.find(lost.id)));
            yield* transaction(sessions.insert(lost));
            assert.isTrue(Option.isSome(yield* sessions.find(lost.id)));
          }),
        );
      }
    });
  },
  { own: true },
);
