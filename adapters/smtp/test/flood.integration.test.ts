import { assert, it } from "@effect/vitest";
import { KnownFloods, type MailServer, ServerFloods } from "@postern/core/mail";
import { AccountId } from "@postern/core/shared";
import { rawServer, scriptedGuard } from "@postern/testkit";
import { Effect, Redacted } from "effect";
import { probeSmtp } from "../src/index.ts";

const credential = (username: string) => ({ _tag: "Password" as const, username, password: Redacted.make("secret") });

it.live(
  "a server that floods is contacted again after a wait that grows, and other users of it at once [S10.4-10]",
  () =>
    Effect.gen(function* () {
      const flooding = yield* rawServer((socket) => void socket.write("220 hello\r\n250 hello\r\n".repeat(10_000)));
      const probe = yield* Effect.provide(
        probeSmtp({ timeouts: { connect: "1 second", command: "1 second" } }),
        scriptedGuard(),
      );
      const server: MailServer = { host: "127.0.0.1", port: flooding.port, tls: "starttls", origin: "account" };
      const floods = new ServerFloods();
      const ask = (user: string) =>
        Effect.provideService(probe(server, credential(user), AccountId(`${user}@x.test`)), KnownFloods, floods).pipe(
          Effect.map((result) => [result, flooding.connections()]),
        );
      const FLOODED = { _tag: "Failed", cause: "server_flood" } as const;

      assert.deepStrictEqual(yield* ask("ann"), [FLOODED, 1]);
      assert.deepStrictEqual(yield* ask("ann"), [FLOODED, 1]);
      assert.deepStrictEqual(yield* ask("ben"), [FLOODED, 2]);
      yield* Effect.sleep("3100 millis");
      assert.deepStrictEqual(yield* ask("ann"), [FLOODED, 3]);
      assert.isAbove(floods.wait(server, "ann", Date.now()), 5_000);
    }).pipe(Effect.scoped),
);
