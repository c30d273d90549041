import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Context, Effect, Layer } from "effect";
import { dovecotConfig, type DovecotSettings, dovecotTokenConfig } from "./dovecot-config.ts";
import { type DeliveredMessage, deliverToMaildir } from "./dovecot-maildir.ts";
import { freePort, readLog, startDovecot, stopDovecot, unprivilegedUser } from "./dovecot-process.ts";

export interface DovecotOptions {
  readonly separator?: "/" | ".";
  /** The prefix of all names but INBOX, such as `INBOX/`. */
  readonly prefix?: string;
  readonly connectionsPerUser?: number;
  /** The advertised capabilities, such as `IMAP4rev1 NAMESPACE`; all by default. */
  readonly capabilities?: string;
  /** Whether the server marks special folders (SPECIAL-USE); true by default. */
  readonly marked?: boolean;
  /** The name of the folder of sent mail; `Sent` by default. */
  readonly sent?: string;
  /** A folder with the attribute \\All, which the server creates for each account. */
  readonly all?: string;
  readonly tls?: boolean;
  /** Whether the server supports access rights (RFC 4314). */
  readonly acl?: boolean;
  /**
   * The public key (PEM) of access tokens, and the mechanisms for them: `oauthbearer xoauth2`. By default no tokens are
   * accepted.
   */
  readonly tokens?: { readonly key: string; readonly mechanisms?: string };
  /** Quota of an account in bytes; unlimited by default. */
  readonly quota?: number;
  /** The folder of the mail, which is kept when the server is removed; a temporary folder by default. */
  readonly home?: string;
}

/** A private Dovecot on a free loopback port, as an unprivileged user; removed with its scope. */
export class Dovecot extends Context.Service<
  Dovecot,
  {
    readonly host: "127.0.0.1";
    readonly port: number;
    /** With the `tls` option: the port of implicit TLS, and the certificate to trust (for localhost). */
    readonly tls: { readonly port: number; readonly ca: string } | null;
    readonly start: Effect.Effect<void>;
    /** Stops the server and all sessions. */
    readonly stop: Effect.Effect<void>;
    /** Sets a user's only password. */
    readonly setPassword: (user: string, password: string) => Effect.Effect<void>;
    /** Writes messages into a mailbox as files, oldest first, before the server reads the mailbox. */
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
          // Dovecot checks the file for changes at most once a second.
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
  all,
  tls = false,
  acl = false,
  tokens,
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
    all: all ?? null,
    acl,
    quota: quota ?? null,
    tokens: tokens === undefined ? null : takeTokens(folder, tokens, own),
    tls: tls ? { port: await freePort(), ...makeCertificate(folder, own) } : null,
  };
  writeFileSync(join(folder, "dovecot.conf"), dovecotConfig(settings));
  own(join(folder, "dovecot.conf"));
  return settings;
};

/**
 * Writes a key to the place where `passdb oauth2` looks for the key of tokens without `azp` and with `kid` "default".
 */
const takeTokens = (
  folder: string,
  { key, mechanisms = "oauthbearer xoauth2" }: NonNullable<DovecotOptions["tokens"]>,
  own: (path: string) => void,
): NonNullable<DovecotSettings["tokens"]> => {
  const keys = join(folder, "keys/default/RS256");
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(keys, "default"), key);
  const settings = join(folder, "oauth2.conf");
  writeFileSync(settings, dovecotTokenConfig(join(folder, "keys")));
  own(settings);
  return { mechanisms, settings };
};

/** Makes a certificate for localhost that is valid for two days; OpenSSL is installed with Dovecot. */
const makeCertificate = (folder: string, own: (path: string) => void) => {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const ask = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -subj /CN=localhost";
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...ask.split(" "), ...names], { stdio: "pipe" });
  for (const path of [key, certificate]) own(path);
  chmodSync(key, 0o600);
  return { key, certificate };
};
