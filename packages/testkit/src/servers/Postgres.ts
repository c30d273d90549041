import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { Context, Effect, Layer } from "effect";
import { Client } from "pg";
import { type InstalledPostgres, listInstalledPostgres } from "./installed/postgres-installed.ts";
import {
  FAST_SETTINGS,
  type PostgresCluster,
  type PostgresSettings,
  maintenanceUrl,
  makeCluster,
  removeCluster,
  startPostgres,
  stopPostgres,
} from "./postgres-process.ts";

/** Starts a private server on a free loopback port in a temporary folder, as an unprivileged user. */
const startPrivate = (settings: PostgresSettings) =>
  Effect.gen(function* () {
    const making = Effect.promise(() => makeCluster());
    const cluster = yield* Effect.acquireRelease(making, (made) => Effect.sync(() => removeCluster(made)));
    let running: ChildProcess | undefined;
    const start = Effect.promise(async () => {
      running ??= await startPostgres(cluster, settings);
    });
    const stop = (how: "immediate" | "fast") =>
      Effect.promise(async () => {
        if (running !== undefined) await stopPostgres(running, how === "fast" ? "INT" : "QUIT");
        running = undefined;
      });
    yield* Effect.acquireRelease(start, () => stop("immediate"));
    const newDatabase = createDatabase(maintenanceUrl(cluster));
    return Postgres.of({ newDatabase: Effect.map(newDatabase, ({ url }) => url), start, stop });
  });

/**
 * The servers that suites of this process share, by their programs. Starting a server costs as much CPU time as ten
 * suites of a store.
 */
const shared = new Map<string, Promise<PostgresCluster>>();

/** Starts a server that ends with this process, but does not keep the process running. */
const startShared = async (installed: ReadonlyArray<InstalledPostgres>): Promise<PostgresCluster> => {
  const cluster = await makeCluster(installed);
  const guard = await startPostgres(cluster, FAST_SETTINGS);
  guard.unref();
  for (const stream of [guard.stdin, guard.stderr]) (stream as Socket | null)?.unref();
  return cluster;
};

/** Creates databases on the server that this process shares, which uses the first of these installations that works. */
const shareServer = (installed: ReadonlyArray<InstalledPostgres>) =>
  Effect.promise(async () => {
    const key = installed[0]?.folder ?? "";
    if (!shared.has(key)) shared.set(key, startShared(installed));
    return createdOn(maintenanceUrl(await shared.get(key)!));
  });

/** Creates databases on a server that tests neither start nor stop. */
const createdOn = (maintenance: string, made: (name: string) => void = () => {}) => {
  const notOurs = Effect.die(new Error("a test cannot start or stop a server that others use"));
  const newDatabase = Effect.map(createDatabase(maintenance), ({ name, url }) => {
    made(name);
    return url;
  });
  return Postgres.of({ newDatabase, start: notOurs, stop: () => notOurs });
};

/**
 * A PostgreSQL for tests. `layer` uses the server of `TEST_DATABASE_URL` if set, otherwise one that this process shares
 * and that ends with it. `own` starts a private one, removed with its scope. Neither flushes to the disk; `durable` is
 * a private one with PostgreSQL's own defaults.
 */
export class Postgres extends Context.Service<
  Postgres,
  {
    /** Creates an empty database; returns its URL. */
    readonly newDatabase: Effect.Effect<string>;
    /** Starts a stopped server on its previous port. Dies if other suites share the server. */
    readonly start: Effect.Effect<void>;
    /** Stops the server and all connections: `immediate` like a crash, `fast` with a clean shutdown. */
    readonly stop: (how: "immediate" | "fast") => Effect.Effect<void>;
  }
>()("@postern/testkit/Postgres") {
  static readonly own: Layer.Layer<Postgres> = Layer.effect(Postgres, startPrivate(FAST_SETTINGS));
  static readonly durable: Layer.Layer<Postgres> = Layer.effect(Postgres, startPrivate({}));

  /** A layer for each PostgreSQL of this machine, shared like that of `layer`. */
  static readonly each = (): ReadonlyArray<{ readonly name: string; readonly layer: Layer.Layer<Postgres> }> =>
    listInstalledPostgres().map((installed) => ({
      name: `${installed.name} PostgreSQL`,
      layer: Layer.effect(Postgres, shareServer([installed])),
    }));

  static readonly layer: Layer.Layer<Postgres> = Layer.unwrap(
    Effect.sync(() => {
      const given = process.env["TEST_DATABASE_URL"];
      if (given !== undefined) return useServer(given);
      return Layer.effect(Postgres, shareServer(listInstalledPostgres()));
    }),
  );
}

/** Uses an existing server; drops the created databases at the end. */
const useServer = (maintenance: string): Layer.Layer<Postgres> =>
  Layer.effect(
    Postgres,
    Effect.gen(function* () {
      const made: Array<string> = [];
      yield* Effect.addFinalizer(() =>
        Effect.forEach(made, (name) => sql(maintenance, `drop database if exists "${name}" with (force)`)),
      );
      return createdOn(maintenance, (name) => made.push(name));
    }),
  );

const createDatabase = Effect.fnUntraced(function* (maintenance: string) {
  const name = `postern_test_${globalThis.crypto.randomUUID().replaceAll("-", "")}`;
  yield* sql(maintenance, `create database "${name}"`);
  const url = new URL(maintenance);
  url.pathname = `/${name}`;
  return { name, url: url.href };
});

const sql = (url: string, statement: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  });
