import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Context, Effect, Layer } from "effect";
import { CYRUS_FOLDER } from "./installed/cyrus-installed.ts";
import { cyrusConfig, type CyrusSettings, imapdConfig } from "./cyrus-config.ts";
import { freePort, hasGreeting, unprivilegedUser } from "./dovecot-process.ts";
import { saslauthd } from "./saslauthd.ts";

export interface CyrusOptions {
  readonly separator?: "/" | ".";
  readonly prefixed?: boolean;
}

/** A private Cyrus on a free loopback port, as an unprivileged user; removed with its scope. */
export class Cyrus extends Context.Service<
  Cyrus,
  {
    readonly host: "127.0.0.1";
    readonly port: number;
    /** Sets a user's only password. */
    readonly setPassword: (user: string, password: string) => Effect.Effect<void>;
  }
>()("@postern/testkit/Cyrus") {
  static readonly layer = (options: CyrusOptions = {}): Layer.Layer<Cyrus> =>
    Layer.effect(
      Cyrus,
      Effect.gen(function* () {
        const settings = yield* Effect.acquireRelease(
          Effect.promise(() => settle(options)),
          ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
        );
        const passwords = new Map<string, string>();
        const path = join(settings.folder, "saslauthd");
        yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const server = await saslauthd(path, (user, password) => passwords.get(user) === password);
            chmodSync(path, 0o777);
            return server;
          }),
          (server) => Effect.sync(() => server.close()),
        );
        yield* Effect.acquireRelease(
          Effect.promise(() => startCyrus(settings)),
          (running) => Effect.promise(() => stopCyrus(running)),
        );
        return Cyrus.of({
          host: "127.0.0.1",
          port: settings.port,
          setPassword: (user, password) => Effect.sync(() => void passwords.set(user, password)),
        });
      }),
    );
}

/**
 * Prepares the folder. Copies the binaries too, because the unprivileged user may not reach the folder into which they
 * were unpacked.
 */
const settle = async ({ separator = "/", prefixed = false }: CyrusOptions): Promise<CyrusSettings> => {
  const folder = mkdtempSync(join(tmpdir(), "cyrus-"));
  const user = unprivilegedUser();
  const settings = { folder, user, port: await freePort(), separator, prefixed };
  mkdirSync(join(folder, "bin"));
  for (const name of ["master", "imapd", "ctl_cyrusdb"]) {
    cpSync(join(CYRUS_FOLDER, "usr/lib/cyrus/bin", name), join(folder, "bin", name));
  }
  for (const lib of librariesIn("usr/lib").concat(librariesIn("lib"))) {
    cpSync(lib, join(folder, "lib"), { recursive: true, verbatimSymlinks: true });
  }
  writeFileSync(join(folder, "imapd.conf"), imapdConfig(settings));
  writeFileSync(join(folder, "cyrus.conf"), cyrusConfig(settings));
  for (const path of ["", "conf", "conf/db", "conf/socket", "conf/proc", "conf/log", "spool"]) {
    mkdirSync(join(folder, path), { recursive: true });
    chownSync(join(folder, path), user.uid, user.gid);
  }
  return settings;
};

const librariesIn = (folder: string): Array<string> => {
  try {
    const at = join(CYRUS_FOLDER, folder);
    return readdirSync(at).flatMap((name) => (name.endsWith("-linux-gnu") ? [join(at, name)] : []));
  } catch {
    return [];
  }
};

const startCyrus = async ({ folder, user, port }: CyrusSettings): Promise<ChildProcess> => {
  const options = ["-C", "imapd.conf", "-M", "cyrus.conf", "-p", "master.pid", "-D"];
  const child = spawn(
    join(folder, "bin/master"),
    options.map((option) => (option.startsWith("-") ? option : join(folder, option))),
    {
      uid: user.uid,
      gid: user.gid,
      stdio: "ignore",
      env: { LD_LIBRARY_PATH: join(folder, "lib"), PATH: process.env["PATH"] },
      // The server has a separate process group, so that its sessions end with it.
      detached: true,
    },
  );
  const endWithThisProcess = () => endGroup(child);
  process.once("exit", endWithThisProcess);
  child.once("exit", () => process.off("exit", endWithThisProcess));
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) break;
    if (await hasGreeting(port)) return child;
    await sleep(25);
  }
  endGroup(child);
  throw new Error(`Cyrus does not greet (exit code ${child.exitCode})`);
};

const stopCyrus = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await gone;
    clearTimeout(late);
  }
  endGroup(child);
};

const endGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // No process is left in the group.
  }
};
