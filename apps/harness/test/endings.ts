import { it } from "@effect/vitest";
import { HARNESS_ADMIN_KEY, HARNESS_URL, harnessWithStores, type HarnessStores } from "@postern/harness";
import { Database, UploadContentsInSql } from "@postern/sql";
import { Context, Duration, Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { ENDINGS } from "./endings-of-tables.ts";

const DEMO = "demo@postern.test";
const HOUR = Duration.toMillis("1 hour");

const names = Object.keys(ENDINGS);
/** Without the row that makes a sweep erase the account. */
const ofLiving = names.filter((name) => name !== "account_erasure");
const ofAccounts = names.filter((name) => ENDINGS[name]!.ofAccount);

/** The rows of a table that the account is in, bytes and numbers read as text. */
const textOf = (row: object) =>
  Object.values(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)))
    .join(" ");

/** The name of a table, which the types of queries take for that of one table. */
const anyTable = (name: string) => name as "write_probe";

const tablesIn = ({ query }: Database["Service"]) =>
  Effect.map(
    query((db) => db.introspection.getTables()),
    (all) => all.filter(({ name, isView }) => !isView && name !== "migration"),
  );

const rowsOf = ({ query }: Database["Service"], table: string) =>
  query((db): Promise<ReadonlyArray<object>> => db.selectFrom(anyTable(table)).selectAll().execute());

/** Numbers of rows in the tables that have any. */
const counts = (database: Database["Service"], tables: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(tables, (table) => Effect.map(rowsOf(database, table), ({ length }) => [table, length] as const)),
    (all) => Object.fromEntries(all.filter(([, count]) => count > 0)),
  );

/** Returns a value for a column: every text is the address, so that all rows refer to each other. */
const valueFor = ({ dataType }: { readonly dataType: string }, time: number) =>
  /^(bigint|int8)$/i.test(dataType)
    ? time
    : /int/i.test(dataType)
      ? 1
      : /bytea/i.test(dataType)
        ? Buffer.from(DEMO)
        : DEMO;

/** Inserts a row of the account, with the present as all its times, into each of these tables, unless it has that row. */
const fill = (database: Database["Service"], tables: ReadonlyArray<string>, timeOf: (table: string) => number) =>
  Effect.gen(function* () {
    const known = new Map((yield* tablesIn(database)).map((table) => [table.name, table.columns]));
    for (const name of tables) {
      const given = ENDINGS[name]!.columns ?? {};
      const row = known
        .get(name)!
        .map((column) => [column.name, column.name in given ? given[column.name] : valueFor(column, timeOf(name))]);
      yield* database.query((db) =>
        db
          .insertInto(anyTable(name))
          .values(Object.fromEntries(row))
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
    }
  });

/** Declares the tests that every row ends, on a database with these stores. */
export const endingsSuite = (name: string, stores: Layer.Layer<HarnessStores | Database, unknown>) =>
  describe(`rows on ${name}`, () => {
    const open = Effect.gen(function* () {
      const context = yield* Layer.build(Layer.orDie(Layer.provideMerge(UploadContentsInSql, stores)));
      const database = Context.get(context, Database);
      return { database, world: yield* harnessWithStores(Layer.succeedContext(context)) };
    });

    it.live("have an ending that is named for every table", () =>
      Effect.gen(function* () {
        const { database } = yield* open;
        expect((yield* tablesIn(database)).map((table) => table.name).toSorted()).toEqual(names.toSorted());
      }).pipe(Effect.scoped),
    );

    it.live("of an account are erased with it from every table", () =>
      Effect.gen(function* () {
        const { database, world } = yield* open;
        const call = Effect.fnUntraced(function* (method: string, path: string, token: string, json?: object) {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
          const init = { method, headers, ...(json && { body: JSON.stringify(json) }) };
          const response = yield* world.request(new Request(new URL(path, HARNESS_URL), init));
          expect([path, response.status < 300]).toEqual([path, true]);
          return (yield* Effect.promise(() => response.json())) as { readonly token: string; readonly data: any };
        });
        const { token } = yield* call("POST", "/api/auth/mobile-login", "", { email: DEMO, password: "demo" });
        yield* call("GET", "/api/folders", token);
        const endpoint = { url: "https://hooks.example.com/", events: ["email.received", "email.sent"] };
        yield* call("POST", "/api/settings/webhooks", token, endpoint);
        yield* call("POST", "/api/drafts", token, { subject: "later", text: "x" });
        const message = { to: "friend@postern.test", subject: "now", html: "<p>x</p>", trackOpens: true };
        yield* call("POST", "/api/send", token, message);
        yield* world.pass("1 minute");
        yield* fill(database, ofAccounts, world.now);
        expect(Object.keys(yield* counts(database, ofAccounts)).toSorted()).toEqual(ofAccounts.toSorted());

        const { data: account } = yield* call("GET", `/api/accounts/${DEMO}`, HARNESS_ADMIN_KEY);
        const tablesWith = (text: string) =>
          Effect.filter(names, (table) =>
            Effect.map(rowsOf(database, table), (rows) => rows.some((row) => textOf(row).includes(text))),
          );
        expect(yield* tablesWith(account.id)).toEqual(expect.arrayContaining(["audit_entry", "event"]));

        yield* call("DELETE", "/api/account", token);
        yield* world.sweep;
        expect(yield* counts(database, ofAccounts)).toEqual({});
        expect(yield* tablesWith(DEMO)).toEqual([]);
        expect(yield* tablesWith(account.id)).toEqual(["audit_entry"]);
      }).pipe(Effect.scoped),
    );

    it.live(
      "of a living account that end by time are deleted by the sweeps then, and not before [S7.4-8] [S7.5-10] [S10.5-11]",
      () =>
        Effect.gen(function* () {
          const { database, world } = yield* open;
          const lives = new Map(
            names.flatMap((table) => {
              const { ends } = ENDINGS[table]!;
              return typeof ends === "object" && "bounded" in ends ? [] : [[table, Duration.toMillis(ends)] as const];
            }),
          );
          const ending = [...lives.keys()];
          const timeOf = (table: string) => world.now() - (lives.get(table) ?? 0);

          yield* fill(database, ofLiving, (table) => timeOf(table) + HOUR);
          const filled = yield* counts(database, ending);
          expect(Object.keys(filled).toSorted()).toEqual(ending.toSorted());
          yield* world.sweep;
          expect(yield* counts(database, ending)).toEqual(filled);

          for (const table of names.toReversed())
            yield* database.query((db) => db.deleteFrom(anyTable(table)).execute());
          yield* fill(database, ofLiving, (table) => timeOf(table) - 2 * HOUR);
          // Files are deleted by the sweep after that of the drafts and messages that hold them.
          yield* Effect.repeat(world.sweep, { times: 1 });
          expect(yield* counts(database, ending)).toEqual({});
        }).pipe(Effect.scoped),
    );
  });
