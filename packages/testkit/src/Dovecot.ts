import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Context, Effect, Layer } from "effect";
import { dovecotConfig, type DovecotSettings } from "./dovecot-config.ts";
import { type DeliveredMessage, deliverToMaildir } from "./dovecot-maildir.ts";
import { freePort, readLog, startDovecot, stopDovecot, unprivilegedUser } from "./dovecot-process.ts";

export interface DovecotOptions {
  readonly separator?: "/" | ".";
  /** What all names but INBOX begin with, such as `INBOX/`. */
  readonly prefix?: string;
  readonly connectionsPerUser?: number;
  /** What the server says it can, such as `IMAP4rev1 NAMESPACE`; all of it unless told. */
  readonly capabilities?: string;
  /** Whether it marks special folders (SPECIAL-USE); it does unless told. */
  readonly marked?: boolean;
  /** What the folder of sent mail is called; `Sent` unless told. */
  readonly sent?: string;
  readonly tls?: boolean;
  /** Whether it knows access rights (RFC 4314). */
  readonly acl?: boolean;
  /** Bytes of mail an account may have; no limit unless told. */
  readonly quota?: number;
  /** A folder for the mail that outlasts the server; one of its own, gone with it, unless told. */
  readonly home?: string;
}

/** A real Dovecot of its own on a free loopback port: unprivileged, private, gone with its scope. */
export class Dovecot extends Context.Service<
  Dovecot,
  {
    readonly host: "127.0.0.1";
    readonly port: number;
    /** With the `tls` option: the port of TLS from the first byte, and the certificate to trust (for localhost). */
    readonly tls: { readonly port: number; readonly ca: string } | null;
    readonly start: Effect.Effect<void>;
    /** Ends the server and every session. */
    readonly stop: Effect.Effect<void>;
    /** Lets a user sign in with this password and no other; a user named again gets the new one. */
    readonly setPassword: (user: string, password: string) => Effect.Effect<void>;
    /** Puts messages into a mailbox as files, oldest first; for a server not yet looking at it. */
    readonly deliver: (user: string, path: string, messages: Iterable<DeliveredMessage>) => Effect.Effect<void>;
    readonly log: Effect.Effect<string>;
  }
>()("@postern/testkit/Dovecot") {
  static readonly layer = (options: DovecotOptions = {}): Layer.Layer<Dovecot> =>
    Layer.effect(
      Dovecot,
      Effect.gen(function* () {
        const settings = yield* Effect.acquireRelease(
          Effect.promise(() => settle(options)),
          ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
        );
        const { folder, port, tls } = settings;
        let running: ChildProcess | undefined;
        const start = Effect.promise(async () => {
          running = await startDovecot(settings);
        });
        const stop = Effect.promise(async () => {
          if (running !== undefined) await stopDovecot(running);
        });
        yield* Effect.acquireRelease(start, () => stop);

        const setPassword = Effect.fnUntraced(function* (user: string, password: string) {
          const file = join(folder, "users", user);
          const isKnown = existsSync(file);
          writeFileSync(file, `${user}:{PLAIN.b64}${Buffer.from(password).toString("base64")}\n`);
          // Dovecot looks no more than once a second whether the file it knows has changed.
          if (isKnown) yield* Effect.sleep(1_100);
        });

        return Dovecot.of({
          host: "127.0.0.1",
          port,
          tls: tls === null ? null : { port: tls.port, ca: readFileSync(tls.certificate, "utf8") },
          start,
          stop,
          setPassword,
          deliver: (user, path, messages) => Effect.sync(() => deliverToMaildir(settings, user, path, messages)),
          log: Effect.sync(() => readLog(folder)),
        });
      }),
    );
}

const settle = async ({
  separator = "/",
  prefix = "",
  connectionsPerUser = 1_000,
  capabilities,
  marked = true,
  sent = "Sent",
  tls = false,
  acl = false,
  quota,
  home,
}: DovecotOptions): Promise<DovecotSettings> => {
  const folder = mkdtempSync(join(tmpdir(), "dovecot-"));
  const user = unprivilegedUser();
  const own = (path: string) => chownSync(path, user.uid, user.gid);
  own(folder);
  for (const name of ["run", "state", "home", "users"]) {
    mkdirSync(join(folder, name));
    own(join(folder, name));
  }
  if (home !== undefined) {
    mkdirSync(home, { recursive: true });
    own(home);
  }
  const settings: DovecotSettings = {
    folder,
    home: home ?? join(folder, "home"),
    user,
    port: await freePort(),
    separator,
    prefix,
    connectionsPerUser,
    capabilities: capabilities ?? null,
    marked,
    sent,
    acl,
    quota: quota ?? null,
    tls: tls ? { port: await freePort(), ...selfSigned(folder, own) } : null,
  };
  writeFileSync(join(folder, "dovecot.conf"), dovecotConfig(settings));
  own(join(folder, "dovecot.conf"));
  return settings;
};

/** A certificate for localhost, good for two days; OpenSSL comes with Dovecot. */
const selfSigned = (folder: string, own: (path: string) => void) => {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const ask = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -subj /CN=localhost";
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...ask.split(" "), ...names], { stdio: "pipe" });
  for (const path of [key, certificate]) own(path);
  chmodSync(key, 0o600);
  return { key, certificate };
};
