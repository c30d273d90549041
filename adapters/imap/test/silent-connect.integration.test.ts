import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { assert, it } from "@effect/vitest";
import { layer as imap } from "@postern/imap";
import { mailServersAt } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";
import { signIn } from "./scripted-account.ts";

/** Listens but never accepts, because the event loop of this thread is blocked. */
const DEAF = `
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Connections that fill the queue of a listener with a backlog of 1. */
const FILLING = 4;

/** A port to which a connection never opens and is never refused, as behind a firewall that drops packets. */
const silentPort = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = spawn(process.execPath, ["-e", DEAF], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = await once(child.stdout, "data");
    const sockets = Array.from({ length: FILLING }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
    await Promise.race(sockets.map((socket) => once(socket, "connect")));
    return { child, sockets, port: Number(port) };
  }),
  ({ child, sockets }) =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy();
      child.kill("SIGKILL");
    }),
);

it.live("a connection that never opens ends the sign-in after the connection timeout", () =>
  Effect.gen(function* () {
    const { port } = yield* silentPort;
    const ports = yield* Layer.build(
      imap({ timeouts: { connect: "500 millis" } }).pipe(
        Layer.provide(mailServersAt({ host: "127.0.0.1", port })),
        Layer.provideMerge(vaultInMemory),
      ),
    );
    const failed = yield* Effect.provide(Effect.flip(signIn), ports).pipe(Effect.timeout("5 seconds"));
    assert.deepInclude(failed, { _tag: "MailServerError", reason: "timeout" });
  }).pipe(Effect.scoped),
);
