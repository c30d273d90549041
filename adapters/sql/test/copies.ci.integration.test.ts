import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { Context, Effect, Fiber, Layer, Option } from "effect";
import { sql } from "kysely";
import { copySqlite, Database, DataDir, DatabaseMissing, serveCopies, sqlite } from "../src/index.ts";
import { cipher } from "./cipher.ts";
import { temporaryFolder } from "./databases.ts";

/** Holds a folder in this process and serves copies. */
const inUse = (path: string) =>
  Effect.map(
    Layer.build(
      Layer.unwrap(
        Effect.map(DataDir.hold(path), (folder) => Layer.provideMerge(serveCopies(folder), sqlite({ folder }))),
      ).pipe(Layer.provide(cipher)),
    ),
    (context) => Context.get(context, Database),
  );

/** Copies in a separate process, because opening the file in this process would release SQLite's locks. */
const copied = (path: string, file: string) =>
  Effect.promise(async () => {
    const script = fileURLToPath(new URL("./copy-folder.ts", import.meta.url));
    const child = spawn(process.execPath, ["--conditions=@postern/source", script, path, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (text) => (said += text));
    await once(child, "close");
    return said;
  });

const PADDING = "x".repeat(2_000);

/** Writes two rows that always have equal values, in one transaction with much other data. */
const write = ({ query, transaction }: Database["Service"], turn: number) =>
  transaction(
    Effect.gen(function* () {
      yield* query((db) => sql`update pair set turn = ${turn} where id = 1`.execute(db));
      yield* query((db) => sql`insert into filling values (${turn}, ${PADDING})`.execute(db));
      yield* query((db) => sql`update pair set turn = ${turn} where id = 2`.execute(db));
    }),
  );

const begin = ({ query }: Database["Service"]) =>
  Effect.gen(function* () {
    yield* query((db) => sql`create table pair (id integer primary key, turn integer)`.execute(db));
    yield* query((db) => sql`create table filling (turn integer, text text)`.execute(db));
    yield* query((db) => sql`insert into pair values (1, 0), (2, 0)`.execute(db));
  });

const turnsIn = (file: string) => {
  const database = new DatabaseSync(file);
  const one = (query: string) => Object.values(database.prepare(query).get() ?? {})[0];
  assert.strictEqual(one("pragma integrity_check"), "ok");
  const turns = [
    ...[1, 2].map((id) => one(`select turn from pair where id = ${id}`)),
    one("select count(*) from filling"),
  ];
  database.close();
  return turns;
};

describe("a copy of the embedded database", () => {
  it.live("is complete in every round while the service writes, and leaves no other file [S8.5-1]", () =>
    Effect.gen(function* () {
      const [folder, copies] = [yield* temporaryFolder, yield* temporaryFolder];
      const database = yield* inUse(folder);
      yield* begin(database);
      let turn = 0;
      const writing = yield* Effect.forkChild(Effect.forever(Effect.suspend(() => write(database, ++turn))));
      for (let round = 0; round < 4; round++) {
        assert.strictEqual(yield* copied(folder, join(copies, "copy.db")), "copied\n");
        const [first, second, count] = turnsIn(join(copies, "copy.db"));
        assert.strictEqual(first, second);
        assert.strictEqual(first, count);
        assert.isAbove(Number(first), 0);
      }
      yield* Fiber.interrupt(writing);
      assert.deepStrictEqual(readdirSync(copies), ["copy.db"]);
      assert.strictEqual(statSync(join(copies, "copy.db")).mode & 0o077, 0);
    }),
  );

  it.live("finds the file unchanged while commits go on", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const database = yield* inUse(folder);
      yield* begin(database);
      const file = join(folder, "postern.db");
      const release = Option.getOrThrow(yield* database.holdFile);
      const [before, journal] = [statSync(file), join(folder, "postern.db-wal")];
      for (let turn = 1; turn <= 1_000; turn++) yield* write(database, turn);
      assert.deepStrictEqual([statSync(file).mtimeMs, statSync(file).size], [before.mtimeMs, before.size]);
      assert.isAbove(statSync(journal).size, 4 * 1024 * 1024);
      assert.isTrue(release());
      yield* write(database, 1_001);
      assert.isAbove(statSync(file).size, before.size);
    }),
  );

  it.live("can be made of an unused folder, but not of a folder without a database", () =>
    Effect.gen(function* () {
      const [folder, copies] = [yield* temporaryFolder, yield* temporaryFolder];
      yield* Effect.scoped(
        Effect.gen(function* () {
          const database = yield* inUse(folder);
          yield* begin(database);
          yield* write(database, 1);
        }),
      );
      yield* copySqlite(folder, join(copies, "copy.db"));
      assert.deepStrictEqual(turnsIn(join(copies, "copy.db")), [1, 1, 1]);
      assert.deepStrictEqual(readdirSync(folder), ["postern.db"]);
      assert.instanceOf(yield* Effect.flip(copySqlite(copies, join(folder, "other.db"))), DatabaseMissing);
      assert.isFalse(existsSync(join(folder, "other.db")));
    }),
  );

  it.live("has a feed of its own, so that positions of the original are refused [S7.10-8]", () =>
    Effect.gen(function* () {
      const [folder, copies] = [yield* temporaryFolder, yield* temporaryFolder];
      const epochs = new Set<unknown>();
      const note = (file: string) => {
        const database = new DatabaseSync(file, { readOnly: true });
        epochs.add(database.prepare("select epoch from event_feed").get()?.["epoch"]);
        database.close();
      };
      yield* Effect.scoped(inUse(folder));
      note(join(folder, "postern.db"));
      for (const name of ["one.db", "two.db"]) {
        yield* copySqlite(folder, join(copies, name));
        note(join(copies, name));
      }
      assert.strictEqual(epochs.size, 3);
    }),
  );

  it.live("names the folder that does not exist", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const missing = join(folder, "missing");
      const ofService = yield* Effect.flip(copySqlite(missing, join(folder, "copy.db")));
      assert.include(ofService.message, `the folder ${missing} does not exist; DATA_DIR`);
      const ofCopy = yield* Effect.flip(copySqlite(folder, join(missing, "copy.db")));
      assert.include(ofCopy.message, `the folder ${missing} does not exist; create it first`);
    }),
  );

  it.live("does not replace a file of the folder itself", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      yield* inUse(folder);
      for (const file of ["postern.db", "keys.json", "postern.db-wal", "lock"].map((name) => join(folder, name))) {
        assert.include((yield* Effect.flip(copySqlite(folder, file))).message, "a file of DATA_DIR itself");
      }
      assert.include((yield* Effect.flip(copySqlite(folder, join(folder, "no", "copy.db")))).message, "does not exist");
      assert.deepStrictEqual(readdirSync(folder).toSorted(), ["copy.sock", "lock", "postern.db", "postern.db-wal"]);
    }),
  );
});
