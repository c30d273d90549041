import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { AccountId, StoreUnavailable } from "@postern/core/shared";
import { Sessions } from "@postern/core/auth";
import { Context, Effect, Layer, Option } from "effect";
import { sql } from "kysely";
import { DataDirInUse, DatabaseTooNew, DataDirUnusable, Database } from "../src/index.ts";
import { removeStale } from "../src/sqlite/DataDir.ts";
import { directKysely } from "../src/sqlite/direct-kysely.ts";
import { processStart } from "../src/sqlite/process-start.ts";
import { newBearerSession } from "@postern/testkit";
import { inFolder, temporaryFolder } from "./databases.ts";
import { useOldDatabase, writeOldDatabase } from "./old-database.ts";
import { secrecySuite } from "./secrecy-suite.ts";

const open = (dataDir: string) => Layer.build(inFolder(dataDir));
const opens = (dataDir: string) => Effect.scoped(Effect.asVoid(open(dataDir)));
const lockOf = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, "lock"), "utf8"));
const writeLock = (dataDir: string, text: string) => writeFileSync(join(dataDir, "lock"), text);

/** Another process that holds the folder; killed at the end without a chance to clean up. */
const holder = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(
        process.execPath,
        ["--conditions=@postern/source", fileURLToPath(new URL("./hold-folder.ts", import.meta.url)), dataDir],
        {
          stdio: ["pipe", "pipe", "inherit"],
        },
      );
      const [said] = await once(child.stdout, "data");
      return { child, said: String(said).trim() };
    }),
    ({ child }) => Effect.promise(() => end(child, "SIGKILL")),
  );

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
};

describe("the lock of a folder", () => {
  it.effect("refuses a second process with the folder and the first process's id [S1.3-16]", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      yield* open(folder);
      const { said } = yield* holder(folder);
      assert.include(said, "refused");
      assert.include(said, folder);
      assert.include(said, `process ${process.pid};`);
    }),
  );

  it.effect("is taken over from a killed process with all it wrote [S1.3-16]", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const { child, said } = yield* holder(folder);
      assert.strictEqual(said, "held");
      const refusal = yield* Effect.flip(opens(folder));
      assert.instanceOf(refusal, DataDirInUse);
      assert.strictEqual((refusal as DataDirInUse).pid, child.pid);
      yield* Effect.promise(() => end(child, "SIGKILL"));
      assert.strictEqual(lockOf(folder).pid, child.pid);
      yield* opens(folder);
    }),
  );

  it.effect("is refused to the same process a second time, and free once closed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open(folder);
          assert.instanceOf(yield* Effect.flip(opens(folder)), DataDirInUse);
          assert.strictEqual(lockOf(folder).pid, process.pid);
        }),
      );
      assert.isFalse(existsSync(join(folder, "lock")));
      yield* opens(folder);
      assert.deepStrictEqual(readdirSync(folder), ["postern.db"]);
    }),
  );

  it.effect("is taken over when another process has the pid of the dead one", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const pid = process.ppid;
      writeLock(folder, JSON.stringify({ pid, start: processStart(pid) }));
      assert.instanceOf(yield* Effect.flip(opens(folder)), DataDirInUse);
      writeLock(folder, JSON.stringify({ pid, start: `${processStart(pid)}0` }));
      yield* opens(folder);
    }),
  );

  it.effect("holds nothing if its text is not a lock", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      for (const text of ["", "1234", "{}", '{"pid":"1","start":""}', "null"]) {
        writeLock(folder, text);
        yield* opens(folder);
      }
    }),
  );

  it.effect("goes to one of many processes that find it stale at once", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      writeLock(folder, JSON.stringify({ pid: 2 ** 22 + 1, start: "long ago" }));
      const all = yield* Effect.all(
        Array.from({ length: 4 }, () => holder(folder)),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(
        all.filter(({ said }) => said === "held"),
        1,
        all.map(({ said }) => said).join(),
      );
    }),
  );

  it.effect("stays with the process that took it over when another still considers it stale", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      yield* open(folder);
      removeStale(join(folder, "lock"), "what was there before");
      assert.strictEqual(lockOf(folder).pid, process.pid);
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => name.startsWith("lock")),
        ["lock"],
      );
    }),
  );

  it.effect("keeps a second process out even if the lock file is missing or meaningless", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const { child } = yield* holder(folder);
      rmSync(join(folder, "lock"));
      assert.instanceOf(yield* Effect.flip(opens(folder)), DataDirInUse);
      yield* Effect.promise(() => end(child, "SIGKILL"));
      yield* opens(folder);
    }),
  );
});

describe("the embedded database", () => {
  it.effect("opens in 1.5 s of processor the first time and keeps commits", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "made", "for", "it");
      const session = yield* newBearerSession;
      const began = process.cpuUsage();
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sessions = Context.get(yield* open(folder), Sessions);
          const { user, system } = process.cpuUsage(began);
          assert.isBelow((user + system) / 1_000, 1_500);
          yield* sessions.insert(session);
        }),
      );
      const sessions = Context.get(yield* open(folder), Sessions);
      assert.deepStrictEqual(yield* sessions.find(session.id), Option.some(session));
      for (const name of readdirSync(folder)) {
        assert.strictEqual(statSync(join(folder, name)).mode & 0o077, 0, `${name} is for us alone`);
      }
    }),
  );

  it.effect("leaves syncs to the shared sync, uses a write-ahead log and checks references", () =>
    Effect.gen(function* () {
      const { query } = Context.get(yield* open(yield* temporaryFolder), Database);
      for (const [pragma, value] of [
        ["synchronous", 1],
        ["journal_mode", "wal"],
        ["foreign_keys", 1],
        ["locking_mode", "exclusive"],
      ] as const) {
        const { rows } = yield* query((db) => sql`pragma ${sql.raw(pragma)}`.execute(db));
        assert.deepStrictEqual(Object.values(rows[0] as object), [value], pragma);
      }
    }),
  );

  it.effect("reports why it cannot use a folder", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      writeFileSync(join(folder, "file"), "");
      assert.instanceOf(yield* Effect.flip(opens(join(folder, "file"))), DataDirUnusable);
      assert.instanceOf(yield* Effect.flip(opens("/proc/postern/data")), DataDirUnusable);
      writeFileSync(join(folder, "postern.db"), "no database ".repeat(1_000));
      const refusal = yield* Effect.flip(opens(folder));
      assert.instanceOf(refusal, DataDirUnusable);
      assert.include(refusal.message, folder);
      assert.isFalse(existsSync(join(folder, "lock")), "the lock is released");
    }),
  );

  it.effect("refuses a database of a later version and leaves it unchanged", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const later = { name: "9999-of-the-future", applied_at: 1 };
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { query } = Context.get(yield* open(folder), Database);
          yield* query((db) => db.insertInto("migration").values(later).execute());
        }),
      );
      const before = readFileSync(join(folder, "postern.db"));
      const refusal = yield* Effect.flip(opens(folder));
      assert.instanceOf(refusal, DatabaseTooNew);
      assert.include(refusal.message, later.name);
      assert.isTrue(before.equals(readFileSync(join(folder, "postern.db"))));
    }),
  );

  it.effect("is unavailable when the disk is full, rolls back, and recovers", () =>
    Effect.gen(function* () {
      const context = yield* open(yield* temporaryFolder);
      const [{ query, transaction }, sessions] = [Context.get(context, Database), Context.get(context, Sessions)];
      const limit = (pages: number) => query((db) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db));
      yield* limit(1);
      const begun = yield* newBearerSession;
      const filling = Effect.gen(function* () {
        yield* sessions.insert(begun);
        for (;;)
          yield* sessions.insert({
            ...(yield* newBearerSession),
            id: "x".repeat(1_000) + globalThis.crypto.randomUUID(),
          });
      });
      assert.instanceOf(yield* Effect.flip(transaction(filling)), StoreUnavailable);
      yield* limit(1_000_000);
      assert.deepStrictEqual(yield* sessions.find(begun.id), Option.none());
      yield* sessions.insert(begun);
      assert.deepStrictEqual(yield* sessions.find(begun.id), Option.some(begun));
    }),
  );

  it.effect("migrates a database from before deliveries had a position", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const kysely = directKysely(new DatabaseSync(join(folder, "postern.db")));
      yield* Effect.promise(() => writeOldDatabase(kysely));
      yield* Effect.promise(() => kysely.destroy());
      yield* Effect.provideContext(useOldDatabase, yield* open(folder));
    }),
  );

  it.effect("is unavailable after it is closed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder;
      const sessions = yield* Effect.scoped(
        Effect.gen(function* () {
          const sessions = Context.get(yield* open(folder), Sessions);
          // Prepares the statement.
          yield* sessions.find("any");
          return sessions;
        }),
      );
      assert.instanceOf(yield* Effect.flip(sessions.find("any")), StoreUnavailable);
      assert.instanceOf(yield* Effect.flip(sessions.removeAll(AccountId("a@b.test"))), StoreUnavailable);
    }),
  );
});

const Folder = Context.Service<string>("test/Folder");
const inKnownFolder = Layer.unwrap(
  Effect.map(temporaryFolder, (folder) => Layer.merge(inFolder(folder), Layer.succeed(Folder, folder))),
);

secrecySuite(
  "the files of the embedded database",
  inKnownFolder,
  Effect.map(Folder, (folder) => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))),
);
