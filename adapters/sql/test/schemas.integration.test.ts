import { assert, layer } from "@effect/vitest";
import { Sessions } from "@postern/core/auth";
import { DeliveryQueue } from "@postern/core/webhooks";
import { describeWithPostgres, newBearerSession, Postgres } from "@postern/testkit";
import { Context, Effect, Layer, Option } from "effect";
import { Client } from "pg";
import { DatabaseClash } from "../src/index.ts";
import { onPostgres } from "./databases.ts";

const newDatabase = Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase);
const open = (url: string, options: Parameters<typeof onPostgres>[1] = {}) => Layer.build(onPostgres(url, options));

const asHost = (url: string, statement: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<Record<string, string>>(statement);
    await client.end();
    return rows;
  });

/** The schemas of everything but the system's own that has a name: tables, indexes, functions. */
const NAMES = `
  select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_|^information_schema'
  union select n.nspname || '.' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_|^information_schema'`;

describeWithPostgres("a schema of its own in the database of a host", () => {
  layer(Postgres.layer, { excludeTestServices: true })("PostgreSQL", (it) => {
    it.effect("opens as many connections as its pool allows, and one that listens [S1.3-29]", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const sessions = Context.get(yield* open(url, { poolSize: 3 }), Sessions);
        yield* Effect.forEach(Array.from({ length: 40 }), () => Effect.flatMap(newBearerSession, sessions.insert), {
          concurrency: "unbounded",
        });
        const [row] = yield* asHost(
          url,
          "select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        assert.isAtLeast(Number(row!["count"]), 1);
        assert.isAtMost(Number(row!["count"]), 4);
      }),
    );

    it.effect("does not change the host's schema, even if the host's tables have the same names [S1.3-14]", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        yield* asHost(
          url,
          "create table session (mine text); create table migration (id serial); create table account ()",
        );
        const before = yield* asHost(url, NAMES);
        for (const schema of ["postern", "other"]) {
          const stores = yield* open(url, { schema, orEarlierTables: true });
          const session = yield* newBearerSession;
          yield* Context.get(stores, Sessions).insert(session);
          assert.isTrue(Option.isSome(yield* Context.get(stores, Sessions).find(session.id)));
          assert.deepStrictEqual(yield* Context.get(stores, DeliveryQueue).nextDue, Option.none());
          yield* open(url, { schema });
        }
        const after = yield* asHost(url, NAMES);
        const ofHost = after.filter(({ name }) => name!.startsWith("public."));
        assert.sameDeepMembers(ofHost, before);
        assert.isAbove(after.length, before.length);
      }),
    );

    it.effect("explains what to do if the host's tables have the same names, and changes nothing [S1.3-15]", () =>
      Effect.gen(function* () {
        for (const table of ["session (id serial)", "migration (id serial)", "migration (name text)"]) {
          const url = yield* newDatabase;
          yield* asHost(url, `create table ${table}`);
          yield* asHost(
            url,
            "insert into " +
              table.replace(/ .*/, "") +
              (table.includes("name") ? " values ('001_init')" : " default values"),
          );
          const before = yield* asHost(url, NAMES);
          const refusal = yield* Effect.flip(open(url));
          assert.instanceOf(refusal, DatabaseClash);
          assert.match(refusal.message, /DATABASE_SCHEMA=postern/);
          assert.sameDeepMembers(yield* asHost(url, NAMES), before);
        }
      }),
    );

    it.effect("opens the tables that an earlier version made without a schema", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase;
        const session = yield* newBearerSession;
        yield* Context.get(yield* open(url), Sessions).insert(session);
        const embedded = yield* open(url, { schema: "postern", orEarlierTables: true });
        assert.deepStrictEqual(yield* Context.get(embedded, Sessions).find(session.id), Option.some(session));
        assert.isEmpty((yield* asHost(url, NAMES)).filter(({ name }) => name!.startsWith("postern.")));
      }),
    );
  });
});
