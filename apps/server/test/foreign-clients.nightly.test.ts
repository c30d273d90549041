import { chmodSync } from "node:fs";
import { join } from "node:path";
import {
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
import { dataDir, start } from "./server-process.ts";

/** `FOREIGN_RUNS` and `FOREIGN_OPERATIONS` play fewer or longer ones. */
const RUNS = Number(process.env["FOREIGN_RUNS"] ?? 3);
const OPERATIONS = Number(process.env["FOREIGN_OPERATIONS"] ?? 150);

const without = (...capabilities: ReadonlyArray<string>): ReadonlyArray<Quirk> => [
  { kind: "removes", capabilities, evidence: "a server that lacks them" },
];

/** Servers, and how many of the moves of messages without copies must be told as moves. */
const SERVERS: ReadonlyArray<readonly [string, ReadonlyArray<Quirk>, number]> = [
  ["a Dovecot with NOTIFY", [], 0.97],
  ["a Dovecot without NOTIFY", without("NOTIFY"), 0.97],
  ["a server without CONDSTORE", without("NOTIFY", "CONDSTORE", "QRESYNC"), 0.97],
  ["a server without UIDPLUS", without("UIDPLUS"), 0.97],
  ["Gmail", profileOf("gmail").quirks, 0.99],
];

describeWithDovecot("what is told of a mailbox on a real server that two clients change", () => {
  it.each(SERVERS)(`is true: %s, ${RUNS} runs`, { timeout: 3_600_000 }, async (name, quirks, least) => {
    let [moved, ended] = [0, 0];
    for (let run = 1; run <= RUNS; run++) {
      const scope = Effect.runSync(Scope.make());
      const within = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
        Effect.runPromise(Scope.provide(effect, scope));
      chmodSync(dataDir(), 0o755);
      const home = join(dataDir(), `mail-${run}`);
      const context = Context.get(await within(Layer.build(Dovecot.layer({ home }))), Dovecot);
      const user = `u${run}@postern.test`;
      await Effect.runPromise(context.setPassword(user, "pass"));
      const rewriting = await within(imapProxy(context.port, quirkRewrite(quirks)));
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
      const whileStopped = async (change: () => Promise<void>) => {
        await Effect.runPromise(context.stop);
        await change();
        await Effect.runPromise(context.start);
      };
      const changed = {
        port: context.port,
        user,
        password: "pass",
        whileStopped,
        maildir: join(home, user, "Maildir"),
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
  });
});
