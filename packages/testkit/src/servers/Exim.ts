import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Context, Effect, Layer } from "effect";
import { endWithThisProcess, freePort, hasGreeting, stopDovecot, unprivilegedUser } from "./dovecot-process.ts";
import { EXIM_FOLDER } from "./installed/exim-installed.ts";
import { eximConfig, type EximSettings } from "./exim-config.ts";

/** A private Exim for submission on a free loopback port, as an unprivileged user; removed with its scope. */
export class Exim extends Context.Service<
  Exim,
  {
    readonly host: "127.0.0.1";
    readonly port: number;
    /** Adds a user who can send, with this password, and receive. */
    readonly addUser: (user: string, password: string) => Effect.Effect<void>;
    readonly log: Effect.Effect<string>;
  }
>()("@postern/testkit/Exim") {
  /** The server; it delivers to the Maildirs of `home`, which a Dovecot with the same `home` serves. */
  static readonly layer = (options: { readonly home: string }): Layer.Layer<Exim> =>
    Layer.effect(
      Exim,
      Effect.gen(function* () {
        const settings = yield* Effect.acquireRelease(
          Effect.promise(() => settle(options.home)),
          ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
        );
        const { folder, port } = settings;
        yield* Effect.acquireRelease(
          Effect.promise(() => startExim(settings)),
          (running) => Effect.promise(() => stopDovecot(running)),
        );
        return Exim.of({
          host: "127.0.0.1",
          port,
          addUser: (user, password) =>
            Effect.sync(() => appendFileSync(join(folder, "users"), `${user}: ${password}\n`)),
          log: Effect.sync(() => readFileSync(join(folder, "mainlog"), "utf8")),
        });
      }),
    );
}

/**
 * Prepares the folder. Debian's Exim looks up its own user by name; on machines without this user, a preloaded library
 * answers the look-up.
 */
const settle = async (home: string): Promise<EximSettings> => {
  const folder = mkdtempSync(join(tmpdir(), "exim-"));
  const user = unprivilegedUser();
  const settings = { folder, home, user, port: await freePort() };
  cpSync(join(EXIM_FOLDER, "usr/sbin/exim4"), join(folder, "exim"));
  cpSync(join(EXIM_FOLDER, "usr/lib"), join(folder, "lib"), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(folder, "conf"), eximConfig(settings));
  const names = [...new Set(["Debian-exim", user.name])];
  const groups = [...new Set(["Debian-exim", "mail", user.group])];
  writeFileSync(
    join(folder, "passwd"),
    names.map((name) => `${name}:x:${user.uid}:${user.gid}::${folder}:/bin/false\n`).join(""),
  );
  writeFileSync(join(folder, "group"), groups.map((name) => `${name}:x:${user.gid}:\n`).join(""));
  writeFileSync(join(folder, "users"), "");
  mkdirSync(join(folder, "spool"));
  mkdirSync(home, { recursive: true });
  for (const path of [folder, join(folder, "spool"), home]) chownSync(path, user.uid, user.gid);
  return settings;
};

const startExim = async ({ folder, user, port }: EximSettings): Promise<ChildProcess> => {
  const libraries = join(folder, "lib", `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`);
  const child = spawn(join(folder, "exim"), ["-C", join(folder, "conf"), "-bdf"], {
    uid: user.uid,
    gid: user.gid,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      LD_LIBRARY_PATH: libraries,
      LD_PRELOAD: join(libraries, "libnss_wrapper.so"),
      NSS_WRAPPER_PASSWD: join(folder, "passwd"),
      NSS_WRAPPER_GROUP: join(folder, "group"),
    },
    // The server has a separate process group, so that its sessions end with it.
    detached: true,
  });
  endWithThisProcess(child);
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) break;
    if (await hasGreeting(port)) return child;
    await sleep(25);
  }
  await stopDovecot(child);
  throw new Error(`Exim does not greet: ${errors}`);
};
