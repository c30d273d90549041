import { assert, describe, it } from "@effect/vitest";
import { EndpointPolicy, isDelivered, WebhookSender } from "@postern/core/webhooks";
import { type HostAnswer, scriptedGuard } from "@postern/testkit";
import { Effect, Layer, Scope } from "effect";
import { layer, type WebhookHttpOptions } from "../src/index.ts";
import { httpServer } from "./servers.ts";

const POST = { headers: {}, body: new TextEncoder().encode("{}") };

/** Addresses that begin with `exempted` are allowed. */
const world = (options: WebhookHttpOptions = {}, exempted = "127.") =>
  Effect.gen(function* () {
    const names = new Map<string, HostAnswer | (() => HostAnswer)>();
    const server = yield* httpServer((_, response) => void response.end());
    const scope = yield* Effect.scope;
    const services = yield* Effect.all([WebhookSender, EndpointPolicy]).pipe(
      Effect.provide(Layer.provide(layer(options), scriptedGuard(names, exempted))),
      Scope.provide(scope),
    );
    const [sender, policy] = services;
    const send = (url: string, endpointId = "we_1") => sender.send({ ...POST, endpointId, url });
    return { names, server, policy, send };
  });

const HTTP = { allowHttp: true };

describe("a host name", () => {
  it.live.each(["nxdomain", "servfail", "dns_timeout", "dns_failed"] as const)(
    "without an address (%s) is not contacted",
    (reason) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { names, send, policy, server } = yield* world({}, "no address");
          names.set("hooks.test", reason);
          const outcome = yield* send("https://hooks.test/");
          assert.deepInclude(outcome, { status: null, errorCode: reason, remoteIp: null });
          const saved = yield* Effect.result(policy.check("https://hooks.test/"));
          assert.strictEqual(saved._tag, reason === "nxdomain" ? "Failure" : "Success");
          assert.strictEqual(server.connections(), 0);
        }),
      ),
  );

  it.live("with one private address among public ones is refused in any order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { names, send, policy, server } = yield* world({}, "no address");
        for (const mixed of [
          ["93.184.216.34", "127.0.0.1"],
          ["127.0.0.1", "93.184.216.34"],
          ["93.184.216.34", "::1"],
          ["2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::7f00:1"],
        ]) {
          names.set("hooks.test", mixed);
          assert.deepInclude(yield* send(`https://hooks.test:${server.port}/`), { errorCode: "blocked_address" });
          const refused = yield* Effect.flip(policy.check(`https://hooks.test:${server.port}/`));
          assert.strictEqual(refused.reason, "address");
        }
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );

  it.live("that was public when saved and is private at delivery is refused [S7.7-1]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { names, send, policy, server } = yield* world({}, "no address");
        let asked = 0;
        names.set("rebind.test", () => (asked++ < 1 ? ["93.184.216.34"] : ["127.0.0.1"]));
        yield* policy.check(`https://rebind.test:${server.port}/`);
        assert.deepInclude(yield* send(`https://rebind.test:${server.port}/`), { errorCode: "blocked_address" });
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );

  it.live("is looked up once per attempt, so the vetted address is the one connected to [S7.7-1]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { names, send, server } = yield* world(HTTP, "127.0.0.1");
        let asked = 0;
        // A second lookup for the connection would return an address that is not allowed.
        names.set("rebind.test", () => (asked++ < 1 ? ["127.0.0.1"] : ["127.0.0.2"]));
        const outcome = yield* send(`http://rebind.test:${server.port}/`);
        assert.deepInclude(outcome, { status: 200, remoteIp: "127.0.0.1" });
        assert.strictEqual(asked, 1);
        assert.deepInclude(yield* send(`http://rebind.test:${server.port}/`), { errorCode: "blocked_address" });
        assert.strictEqual(server.connections(), 1);
      }),
    ),
  );

  it.live("that changes its address gets a new connection although the old one is open", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { names, send } = yield* world(HTTP);
        const server = yield* httpServer((_, response) => void response.end(), "0.0.0.0");
        names.set("moving.test", ["127.0.0.1"]);
        const url = `http://moving.test:${server.port}/`;
        assert.strictEqual((yield* send(url)).remoteIp, "127.0.0.1");
        assert.strictEqual((yield* send(url)).remoteIp, "127.0.0.1");
        assert.strictEqual(server.connections(), 1, "kept alive");
        names.set("moving.test", ["127.0.0.2"]);
        assert.strictEqual((yield* send(url)).remoteIp, "127.0.0.2");
      }),
    ),
  );

  it.live("with an address without a listener is reached at its other address", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { names, send, server } = yield* world(HTTP);
        names.set("two.test", ["127.0.0.9", "127.0.0.1"]);
        assert.deepInclude(yield* send(`http://two.test:${server.port}/`), { status: 200, remoteIp: "127.0.0.1" });
      }),
    ),
  );
});

describe("connections", () => {
  it.live("are kept per endpoint and closed with the sender", () =>
    Effect.gen(function* () {
      let closed = 0;
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { send } = yield* world(HTTP);
          const { port, connections } = yield* httpServer((request, response) => {
            if (request.socket.listenerCount("close") < 4) request.socket.once("close", () => closed++);
            response.end("ok");
          });
          const url = `http://127.0.0.1:${port}/`;
          for (let n = 0; n < 5; n++) yield* send(url, "we_1");
          assert.strictEqual(connections(), 1);
          yield* send(url, "we_2");
          assert.strictEqual(connections(), 2);
        }),
      );
      yield* Effect.sleep("50 millis");
      assert.isAtLeast(closed, 2);
    }),
  );

  it.live("never use a proxy named in the environment", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { send, server } = yield* world(HTTP);
        const proxy = yield* httpServer((_, response) => void response.end());
        for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"]) {
          process.env[name] = `http://127.0.0.1:${proxy.port}`;
        }
        process.env.NODE_USE_ENV_PROXY = "1";
        assert.isTrue(isDelivered(yield* send(`http://127.0.0.1:${server.port}/`)));
        assert.strictEqual(proxy.connections(), 0);
      }),
    ).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          for (const name of [
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "http_proxy",
            "https_proxy",
            "NODE_USE_ENV_PROXY",
          ]) {
            delete process.env[name];
          }
        }),
      ),
    ),
  );
});

describe("URLs that the guard refuses are never contacted", () => {
  it.live.each([
    "http://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "https://2130706433:PORT/",
    "https://[::ffff:127.0.0.1]:PORT/",
    "https://localhost:PORT/",
    "https://user@hooks.test:PORT/",
    "gopher://127.0.0.1:PORT/",
  ])("%s", (pattern) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { send, server } = yield* world({}, "no address");
        const outcome = yield* send(pattern.replace("PORT", String(server.port)));
        assert.match(outcome.errorCode ?? "", /^blocked_(url|address)$/);
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );
});
