import { chmodSync } from "node:fs";
import { join } from "node:path";
import {
  Cyrus,
  describeWithCyrus,
  describeWithDovecot,
  Dovecot,
  freePort,
  imapProxy,
  type Quirk,
  profileOf,
  quirkRewrite,
} from "@postern/testkit";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import { expect, it } from "vitest";
import { cuttingProxy } from "./cutting-proxy.ts";
import { playOnServer } from "./foreign-clients.ts";
import type { ChangedServer } from "./foreign-server.ts";
import { dataDir, start } from "./server-process.ts";

/** `FOREIGN_FROM`, `FOREIGN_RUNS` and `FOREIGN_OPERATIONS` choose the first seed, the number of runs and their length. */
const FROM = Number(process.env["FOREIGN_FROM"] ?? 1);
const RUNS = Number(process.env["FOREIGN_RUNS"] ?? 3);
const OPERATIONS = Number(process.env["FOREIGN_OPERATIONS"] ?? 150);

const PASSWORD = "pass";

const without = (...capabilities: ReadonlyArray<string>): ReadonlyArray<Quirk> => [
  { kind: "removes", capabilities, evidence: "a server that lacks them" },
];

/** Servers, with the share of moves that must be reported as moves; only messages without copies count. */
const SERVERS: ReadonlyArray<readonly [string, ReadonlyArray<Quirk>, number]> = [
  ["a Dovecot with NOTIFY", [], 0.97],
  ["a Dovecot without NOTIFY", without("NOTIFY"), 0.97],
  ["a server without CONDSTORE", without("NOTIFY", "CONDSTORE", "QRESYNC"), 0.97],
  ["a server without UIDPLUS", without("UIDPLUS"), 0.97],
  ["Gmail", profileOf("gmail").quirks, 0.99],
];

type Within = <A>(effect: Effect.Effect<A, never, Scope.Scope>) => Promise<A>;

/** Plays runs on new servers. At least this share of the moves of messages without copies must be reported as moves. */
const playRuns = async (
  name: string,
  quirks: ReadonlyArray<Quirk>,
  least: number,
  open: (within: Within, user: string, run: number) => Promise<Omit<ChangedServer, "user" | "password">>,
): Promise<void> => {
  let [moved, ended] = [0, 0];
  for (let run = FROM; run < FROM + RUNS; run++) {
    const scope = Effect.runSync(Scope.make());
    const within: Within = (effect) => Effect.runPromise(Scope.provide(effect, scope));
    const user = `u${run}@postern.test`;
    const changed = { ...(await open(within, user, run)), user, password: PASSWORD };
    const rewriting = await within(imapProxy(changed.port, quirkRewrite(quirks)));
    const proxy = await within(cuttingProxy(rewriting.port));
    const port = await freePort();
    const environment = {
      PORT: String(port),
      DATA_DIR: join(dataDir(), `data-${run}`),
      LOG_LEVEL: "warn",
      IMAP_URL: `imap://127.0.0.1:${proxy.port}`,
      SMTP_URL: "smtp://127.0.0.1:9",
    };
    const base = `http://127.0.0.1:${port}`;
    const begin = async () => {
      const server = await start(environment);
      while (!(await fetch(`${base}/health/ready`).catch(() => undefined))?.ok) {
        if (server.child.exitCode !== null) throw new Error(server.output());
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return server;
    };
    let server = await begin();
    const kill = async () => {
      server.child.kill("SIGKILL");
      await server.ended;
      server = await begin();
    };
    const service = { base: () => base, kill, cut: () => proxy.arrange(1, "after") };
    const { violations, single, copied } = await playOnServer(changed, service, run, OPERATIONS);
    server.child.kill("SIGKILL");
    await Effect.runPromise(Scope.close(scope, Exit.void));
    console.log(`${name}, run ${run}: ${JSON.stringify({ single, copied })}`);
    expect(violations, `${name}, run ${run}`).toEqual([]);
    moved += single.moved;
    ended += single.ended;
  }
  expect(moved / (moved + ended)).toBeGreaterThanOrEqual(least);
};

describeWithDovecot("what is told of a mailbox on a real server that two clients change", () => {
  it.each(SERVERS)(`is true: %s, ${RUNS} runs`, { timeout: 3_600_000 }, (name, quirks, least) =>
    playRuns(name, quirks, least, async (within, user, run) => {
      chmodSync(dataDir(), 0o755);
      const home = join(dataDir(), `mail-${run}`);
      const { port, setPassword, start, stop } = Context.get(
        await within(Layer.build(Dovecot.layer({ home }))),
        Dovecot,
      );
      await Effect.runPromise(setPassword(user, PASSWORD));
      const whileStopped = async (change: () => Promise<void>) => {
        await Effect.runPromise(stop);
        await change();
        await Effect.runPromise(start);
      };
      return { port, whileStopped, maildir: join(home, user, "Maildir") };
    }),
  );
});

describeWithCyrus("what is told of a mailbox on a Cyrus that two clients change", () => {
  it(`is true, ${RUNS} runs`, { timeout: 3_600_000 }, () =>
    playRuns("Cyrus", [], 0.97, async (within, user) => {
      const { port, setPassword } = Context.get(await within(Layer.build(Cyrus.layer())), Cyrus);
      await Effect.runPromise(setPassword(user, PASSWORD));
      return { port };
    }),
  );
});
