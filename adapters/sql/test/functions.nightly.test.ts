import { assert, layer } from "@effect/vitest";
import { type ClaimedDelivery, DeliveryQueue } from "@postern/core/webhooks";
import { describeWithPostgres, nightly, Postgres } from "@postern/testkit";
import { Context, Deferred, Effect, Fiber, Layer, Option } from "effect";
import { sql } from "kysely";
import { readFileSync } from "node:fs";
import { Database } from "../src/index.ts";
import { onPostgres } from "./databases.ts";

const newDatabase = Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase);
const open = (url: string, options: Parameters<typeof onPostgres>[1] = {}) => Layer.build(onPostgres(url, options));

/** A reference job that takes twice the CPU time of a claim (about 8 ms and 4 ms), whatever the speed of the machine. */
const YARDSTICK = "select sum(hashtextextended(n::text, 0)) from generate_series(1, 60000) n";

const ATTEMPT = { startedAt: 10, ms: 1, status: 200, errorCode: null, excerpt: "", remoteIp: null, headers: null };

describeWithPostgres("the functions of the database", () => {
  layer(Postgres.layer, { excludeTestServices: true })("PostgreSQL", (it) => {
    it.effect("replaces a function that differs from this version's", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const { query } = Context.get(yield* open(url), Database);
        yield* query((db) =>
          sql`create or replace function next_delivery_times(bigint) returns table (next_lease bigint, next_due bigint)
            language sql as 'select 1::bigint, 1::bigint'`.execute(db),
        );
        const queue = Context.get(yield* open(url), DeliveryQueue);
        assert.deepStrictEqual(yield* queue.nextDue, Option.none());
      }),
    );

    it.effect("sees a delivery that is claimed meanwhile as due or in flight", () =>
      Effect.gen(function* () {
        const stores = yield* open(yield* newDatabase, { poolSize: 3 });
        const { query } = Context.get(stores, Database);
        const queue = Context.get(stores, DeliveryQueue);
        const run = (text: string) => query((db) => sql.raw(text).execute(db));
        yield* run(`insert into endpoint (id, account, url, description, events, state, generation, max_in_flight, ordered,
            disable_policy, honour_retry_after, created_at, updated_at, consecutive_failures)
          values ('we_1', 'a@x.test', 'https://h.test/', '', '[]', 'enabled', 1, 10, 0, 'literal', 0, 1, 1, 0)`);
        yield* run(`insert into event (id, account, type, occurred_at, body, position)
          values ('evt_1', 'a@x.test', 'email.sent', 5, '', 1)`);
        yield* run(`insert into delivery (id, event_id, endpoint_id, trigger, occurred_at, generation, state, step,
            due_at, lost_claims)
          values ('del_1', 'evt_1', 'we_1', 'event', 5, 1, 'pending', 0, 7, 0)`);
        // The statement for leases reads only deliveries; the next statement waits for this lock.
        const [locked, asked] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
        const claim = query((db) =>
          db.transaction().execute(async (held) => {
            await sql`lock table endpoint in access exclusive mode`.execute(held);
            await Effect.runPromise(Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(asked)));
            await sql`update delivery set state = 'in_flight', lease_until = 1000`.execute(held);
          }),
        );
        const claiming = yield* Effect.forkChild(claim);
        yield* Deferred.await(locked);
        const asking = yield* Effect.forkChild(queue.nextDue);
        const waiting = sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity
          where wait_event_type = 'Lock' and query like '%next_lease%' and pid <> pg_backend_pid()`;
        while ((yield* query((db) => waiting.execute(db))).rows[0]!.n === 0) yield* Effect.yieldNow;
        yield* Deferred.succeed(asked, undefined);
        yield* Fiber.join(claiming);
        assert.isTrue(Option.isSome(yield* Fiber.join(asking)));
      }),
    );

    it.effect.each([
      { first: 10, known: true },
      { first: 3_000, known: false },
    ])("reads few deliveries, planned for $first with statistics: $known", ({ first, known }) =>
      Effect.gen(function* () {
        const stores = yield* open(yield* newDatabase, { poolSize: 1 });
        const { query } = Context.get(stores, Database);
        const queue = Context.get(stores, DeliveryQueue);
        const claim = queue.claim(10, { token: "t", until: 1_000 }, 100);
        const settle = (all: ReadonlyArray<ClaimedDelivery>) =>
          queue.settle(
            all.map(({ delivery, attempt: n }) => ({
              delivery: { ...delivery, state: "succeeded" },
              token: "t",
              attempt: { ...ATTEMPT, deliveryId: delivery.id, n },
            })),
          );
        const run = (text: string) => query((db) => sql.raw(text).execute(db));
        /** The scans of all deliveries, and the entries of indexes that were read. */
        const counts = Effect.gen(function* () {
          yield* run("select pg_stat_force_next_flush()");
          const counted = sql<{ scans: number; entries: number }>`
            select seq_scan as scans, (select sum(idx_tup_read)::float from pg_stat_user_indexes where relname = 'delivery') as entries
            from pg_stat_user_tables where relname = 'delivery'`;
          const { rows } = yield* query((db) => counted.execute(db));
          return rows[0]!;
        });
        yield* run(`insert into endpoint (id, account, url, description, events, state, generation, max_in_flight, ordered,
            disable_policy, honour_retry_after, created_at, updated_at, consecutive_failures)
          values ('we_1', 'a@x.test', 'https://h.test/', '', '[]', 'enabled', 1, 10, 0, 'literal', 0, 1, 1, 0)`);
        const publish = Effect.fnUntraced(function* (from: number, to: number) {
          yield* run(`insert into event (id, account, type, occurred_at, body, position)
            select 'evt_' || n, 'a@x.test', 'email.sent', 5, '', n from generate_series(${from}, ${to}) n`);
          yield* run(`insert into delivery (id, event_id, endpoint_id, trigger, occurred_at, generation, state, step,
              due_at, lost_claims)
            select 'del_' || n, 'evt_' || n, 'we_1', 'event', 5, 1, 'pending', 0, 0, 0
            from generate_series(${from}, ${to}) n`);
        });
        const { scans } = yield* counts;
        yield* publish(1, first);
        if (known) yield* run("analyze delivery");
        const few = yield* claim;
        for (let n = 0; n < 10; n++) {
          yield* queue.release(
            (yield* claim).map(({ delivery }) => delivery.id),
            "t",
            10,
          );
          assert.strictEqual((yield* settle(few)).size, n === 0 ? few.length : 0);
          yield* queue.nextDue;
        }
        yield* publish(first + 1, 5_000);
        const { entries } = yield* counts;
        for (let n = 0; n < 10; n++) {
          const claimed = yield* claim;
          assert.lengthOf(claimed, 10);
          assert.strictEqual((yield* settle(claimed)).size, 10);
          yield* queue.nextDue;
        }
        const after = yield* counts;
        assert.strictEqual(after.scans, scans);
        assert.isBelow((after.entries - entries) / 100, 20, "entries read for a delivery");
      }),
    );
  });

  for (const { name, layer: server } of Postgres.each()) {
    layer(server, { excludeTestServices: true })(name, (it) => {
      it.effect.each([
        { ordered: 1, accounts: 1 },
        { ordered: 200, accounts: 1 },
        ...nightly([
          { ordered: 0, accounts: 1 },
          { ordered: 10, accounts: 1 },
          { ordered: 200, accounts: 500 },
        ]),
      ])(
        "claims from 100,000 deliveries to 200 endpoints, $ordered in order, in less time than it takes to hash 60,000 numbers",
        ({ ordered, accounts }) =>
          Effect.gen(function* () {
            const stores = yield* open(yield* newDatabase, { poolSize: 1, statementTimeout: "5 minutes" });
            const { query } = Context.get(stores, Database);
            const queue = Context.get(stores, DeliveryQueue);
            const run = (text: string) => query((db) => sql.raw(text).execute(db));
            yield* run(`insert into endpoint (id, account, url, description, events, state, generation, max_in_flight, ordered,
              disable_policy, honour_retry_after, created_at, updated_at, consecutive_failures)
            select 'we_' || n, 'a@x.test', 'https://h.test/', '', '[]', 'enabled', 1, 4, (n < ${ordered})::integer, 'literal',
              0, 1, 1, 0 from generate_series(0, 199) n`);
            yield* run(`insert into event (id, account, type, occurred_at, body, position)
            select 'evt_' || n, n / 200 % ${accounts} || '@x.test', 'email.sent', 5, '', n
            from generate_series(0, 99999) n`);
            yield* run(`insert into delivery (id, event_id, endpoint_id, trigger, occurred_at, generation, state, step, due_at,
              lost_claims, account, position)
            select 'del_' || n, 'evt_' || n, 'we_' || n % 200, 'event', 5, 1, 'pending', 0, 0, 0,
              n / 200 % ${accounts} || '@x.test', n from generate_series(0, 99999) n`);
            const { rows } = yield* query((db) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db));
            /** The processor time of the connection, in milliseconds. */
            const used = () => Number(readFileSync(`/proc/${rows[0]!.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
            const costs: Array<{ readonly claim: number; readonly nextDue: number; readonly yardstick: number }> = [];
            for (let n = 0; n < 60; n++) {
              const start = used();
              const claimed = yield* queue.claim(10, { token: "t", until: 1_000 }, 10);
              const afterClaim = used();
              yield* queue.nextDue;
              const afterNext = used();
              yield* run(YARDSTICK);
              costs.push({
                claim: afterClaim - start,
                nextDue: afterNext - afterClaim,
                yardstick: used() - afterNext,
              });
              assert.lengthOf(claimed, 10);
              yield* queue.release(
                claimed.map(({ delivery }) => delivery.id),
                "t",
                10,
              );
            }
            // Other work on the machine delays some runs, so the fastest runs are compared.
            const least = (of: "claim" | "nextDue" | "yardstick") => Math.min(...costs.map((cost) => cost[of]));
            assert.isBelow(least("claim"), least("yardstick"));
            assert.isBelow(least("nextDue"), least("yardstick"));
          }),
        300_000,
      );
    });
  }
});
