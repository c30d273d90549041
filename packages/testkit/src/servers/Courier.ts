import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Context, Effect, Layer } from "effect";
import { COURIER_FOLDER } from "./installed/courier-installed.ts";
import { readSignIn, type SignIn } from "./courier-sign-in.ts";
import { unprivilegedUser } from "./dovecot-process.ts";

/** Debian's `IMAP_CAPABILITY`, and AUTH=PLAIN, with which Courier takes passwords in any characters. */
const CAPABILITIES =
  "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE AUTH=PLAIN";

/**
 * A private Courier on a free loopback port, as an unprivileged user; removed with its scope. Its sessions are
 * Courier's `imapd`. The sign-in is not Courier's, because Courier's needs a daemon with a socket below /run, which
 * only root can create.
 */
export class Courier extends Context.Service<
  Courier,
  {
    readonly host: "127.0.0.1";
    readonly port: number;
    /** Sets a user's only password. */
    readonly setPassword: (user: string, password: string) => Effect.Effect<void>;
  }
>()("@postern/testkit/Courier") {
  static readonly layer: Layer.Layer<Courier> = Layer.effect(
    Courier,
    Effect.gen(function* () {
      const settings = yield* Effect.acquireRelease(Effect.sync(settle), ({ folder }) =>
        Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
      );
      const passwords = new Map<string, string>();
      const sockets = new Set<Socket>();
      const server = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const listening = createServer((socket) => {
            sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
            const isGood = (user: string, password: string) => passwords.get(user) === password;
            readSignIn(socket, CAPABILITIES, isGood, (signedIn) => runSession(settings, socket, signedIn));
          }).listen(0, "127.0.0.1");
          await once(listening, "listening");
          return listening;
        }),
        (listening) =>
          Effect.promise(async () => {
            for (const socket of sockets) socket.destroy();
            listening.close();
            await once(listening, "close");
          }),
      );
      return Courier.of({
        host: "127.0.0.1",
        port: (server.address() as AddressInfo).port,
        setPassword: (user, password) => Effect.sync(() => void passwords.set(user, password)),
      });
    }),
  );
}

type Settings = ReturnType<typeof settle>;

/**
 * Prepares the folder. Copies the binaries too, because the unprivileged user may not reach the folder into which they
 * were unpacked.
 */
const settle = () => {
  const folder = mkdtempSync(join(tmpdir(), "courier-"));
  const user = unprivilegedUser();
  for (const path of ["usr/bin/imapd", "usr/libexec/gam_server", "usr/lib", "lib"]) {
    cpSync(join(COURIER_FOLDER, path), join(folder, path), { recursive: true, verbatimSymlinks: true, force: true });
  }
  mkdirSync(join(folder, "home"));
  for (const path of ["", "home"]) chownSync(join(folder, path), user.uid, user.gid);
  return { folder, user };
};

/** Hands a signed-in connection to a new `imapd`, which answers the sign-in. */
const runSession = ({ folder, user }: Settings, socket: Socket, { tag, username }: SignIn): void => {
  const home = join(folder, "home", username);
  for (const path of ["", "Maildir", "Maildir/cur", "Maildir/new", "Maildir/tmp"]) {
    mkdirSync(join(home, path), { recursive: true });
    chownSync(join(home, path), user.uid, user.gid);
  }
  const child = spawn(join(folder, "usr/bin/imapd"), ["Maildir"], {
    cwd: home,
    uid: user.uid,
    gid: user.gid,
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      LD_LIBRARY_PATH: ["usr/lib", "usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"]
        .map((path) => join(folder, path))
        .join(":"),
      PROTOCOL: "IMAP",
      TCPREMOTEIP: "127.0.0.1",
      TCPREMOTEPORT: "1",
      AUTHENTICATED: username,
      AUTHADDR: username,
      IMAPLOGINTAG: tag,
      IMAP_CAPABILITY: CAPABILITIES,
      IMAP_KEYWORDS: "1",
      IMAP_ACL: "1",
      IMAP_USELOCKS: "1",
      IMAP_ENHANCEDIDLE: "1",
      IMAP_UMASK: "022",
      // The monitor of folders, which locks and IDLE need; it ends without help half a minute after its last session.
      GAMIN_DEBUG_SERVER: join(folder, "usr/libexec/gam_server"),
      GAM_CLIENT_ID: basename(folder),
    },
  });
  child.stdin.on("error", () => {});
  child.on("error", () => socket.destroy());
  socket.pipe(child.stdin);
  child.stdout.pipe(socket);
  socket.on("close", () => child.kill());
};
