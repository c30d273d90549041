import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort, unprivilegedUser } from "./dovecot-process.ts";
import { type InstalledPostgres, listInstalledPostgres } from "./installed/postgres-installed.ts";

/** A private cluster: its folder, its system user and its port. */
export interface PostgresCluster {
  readonly folder: string;
  readonly programs: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly port: number;
}

/**
 * The script that sends the server the signal named on stdin. If stdin closes because this process exited, the script
 * sends QUIT and removes the folder, whose own finalizers may not have run.
 */
const GUARD = `"$@" & server=$!; read -r signal || rest=$PWD; kill -"\${signal:-QUIT}" $server; wait $server; cd /
[ -z "$rest" ] || rm -rf "$rest"`;

/** Settings of a server. */
export type PostgresSettings = Readonly<Record<string, string>>;

const REACHABLE: PostgresSettings = { listen_addresses: "127.0.0.1", unix_socket_directories: "" };

/** Settings for tests: no disk syncs, deadlock check after 100 ms. */
export const FAST_SETTINGS: PostgresSettings = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  max_connections: "100",
  deadlock_timeout: "100ms",
};

/** The locales of a cluster; a distribution's cluster sorts text by the language of its machine. */
const LOCALES: Readonly<Record<InstalledPostgres["name"], ReadonlyArray<string>>> = {
  debian: ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"],
  bundled: ["--locale=C"],
};

/** Makes an empty cluster in a temporary folder, with superuser `postgres` trusted on the loopback. */
export const makeCluster = async (
  installed: ReadonlyArray<InstalledPostgres> = listInstalledPostgres(),
): Promise<PostgresCluster> => {
  const { uid, gid } = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  chownSync(folder, uid, gid);
  const user = { uid, gid };
  const { name, programs } = runnable(installed, folder, user);
  const how = ["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", ...LOCALES[name]];
  execFileSync(join(programs, "bin", "initdb"), ["-D", join(folder, "data"), ...how], {
    ...user,
    cwd: folder,
    stdio: "pipe",
  });
  return { folder, programs, user, port: await freePort() };
};

export const removeCluster = ({ folder }: PostgresCluster): void => rmSync(folder, { recursive: true, force: true });

export const maintenanceUrl = ({ port }: PostgresCluster): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Starts the server; resolves when it answers. */
export const startPostgres = async (cluster: PostgresCluster, chosen: PostgresSettings): Promise<ChildProcess> => {
  const { folder, programs, user, port } = cluster;
  const settings = Object.entries({ ...REACHABLE, ...chosen, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const server = [join(programs, "bin", "postgres"), "-D", join(folder, "data"), ...settings];
  const guard = spawn("/bin/sh", ["-c", GUARD, "sh", ...server], {
    ...user,
    cwd: folder,
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  guard.stderr?.on("data", (text) => (log = `${log}${text}`.slice(-10_000)));
  for (let tries = 0; tries < 400; tries++) {
    if (await answers(maintenanceUrl(cluster))) return guard;
    await sleep(25);
  }
  await stopPostgres(guard, "QUIT");
  throw new Error(`PostgreSQL does not answer: ${log}`);
};

/** Stops the server: `QUIT` like a crash, with recovery at the next start; `INT` with a clean shutdown. */
export const stopPostgres = async (guard: ChildProcess, signal: "QUIT" | "INT"): Promise<void> => {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  const gone = once(guard, "exit");
  guard.stdin?.end(`${signal}\n`);
  await gone;
};

const answers = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
};

/** Returns programs that the unprivileged user can run, copied if they are in a private folder of root. */
const runnable = (
  installed: ReadonlyArray<InstalledPostgres>,
  folder: string,
  user: PostgresCluster["user"],
): { readonly name: InstalledPostgres["name"]; readonly programs: string } => {
  for (const { name, folder: programs } of installed) {
    if (runs(programs, user)) return { name, programs };
    const copy = join(folder, `copy-of-${basename(programs)}`);
    cpSync(programs, copy, { recursive: true });
    restoreLinks(copy);
    execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, copy]);
    if (runs(copy, user)) return { name, programs: copy };
    rmSync(copy, { recursive: true });
  }
  throw new Error("no PostgreSQL on this machine runs");
};

const runs = (programs: string, user: PostgresCluster["user"]): boolean => {
  try {
    for (const program of ["initdb", "postgres"]) {
      execFileSync(join(programs, "bin", program), ["--version"], { ...user, cwd: "/", stdio: "pipe" });
    }
    return true;
  } catch {
    return false;
  }
};

/**
 * Creates the symbolic links listed by the package: npm packs no links, and the package's install script may not have
 * run.
 */
const restoreLinks = (programs: string): void => {
  const list = join(programs, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<{ source: string; target: string }>;
  for (const { source, target } of links) {
    const link = join(programs, "..", target.replace(/^native/, basename(programs)));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
};
