import { assert, describe, it } from "@effect/vitest";
import { EndpointPolicy, isDelivered, WebhookSender } from "@postern/core/webhooks";
import { Effect, Scope } from "effect";
import { layer, type WebhookHttpOptions } from "../src/index.ts";
import { dnsServer } from "./dns-server.ts";
import { httpServer } from "./servers.ts";

const POST = { headers: {}, body: new TextEncoder().encode("{}") };

const world = (options: WebhookHttpOptions = {}) =>
  Effect.gen(function* () {
    const dns = yield* dnsServer;
    const server = yield* httpServer((_, response) => void response.end());
    const scope = yield* Effect.scope;
    const services = yield* Effect.all([WebhookSender, EndpointPolicy]).pipe(
      Effect.provide(layer({ nameServers: [dns.address], ...options })),
      Scope.provide(scope),
    );
    const [sender, policy] = services;
    const send = (url: string, endpointId = "we_1") => sender.send({ ...POST, endpointId, url });
    return { dns, server, policy, send };
  });

const ALLOWED = { allowedNetworks: ["127.0.0.0/8"] };

describe("a host name", () => {
  it.live.each([
    ["that does not exist", undefined, "nxdomain"],
    ["without an address", [], "nxdomain"],
    ["whose server fails", "servfail", "servfail"],
    ["whose server is silent", "silence", "dns_timeout"],
  ] as const)("%s", ([, answer, errorCode]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send, policy, server } = yield* world({ connectTimeout: "700 millis" });
        if (answer !== undefined) dns.names.set("hooks.test", answer);
        const outcome = yield* send("https://hooks.test/");
        assert.deepInclude(outcome, { status: null, errorCode, remoteIp: null });
        const saved = yield* Effect.result(policy.check("https://hooks.test/"));
        assert.strictEqual(saved._tag, errorCode === "nxdomain" ? "Failure" : "Success");
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );

  it.live("that hangs in DNS delays no other delivery", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send, server } = yield* world(ALLOWED);
        dns.names.set("good.test", ["127.0.0.1"]);
        for (let n = 0; n < 50; n++) dns.names.set(`hung${n}.test`, "silence");
        const hung = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 50 }, (_, n) => n),
            (n) => send(`https://hung${n}.test/`),
            {
              concurrency: "unbounded",
            },
          ),
        );
        yield* Effect.sleep("50 millis");
        assert.isTrue(isDelivered(yield* send(`http://good.test:${server.port}/`)));
        assert.isUndefined(hung.pollUnsafe(), "the others still wait");
      }),
    ),
  );

  it.live("with one private address among public ones is refused in any order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send, policy, server } = yield* world();
        for (const mixed of [
          ["93.184.216.34", "127.0.0.1"],
          ["127.0.0.1", "93.184.216.34"],
          ["93.184.216.34", "::1"],
          ["2606:2800:220:1::1", "64:ff9b::7f00:1"],
        ]) {
          dns.names.set("hooks.test", mixed);
          assert.deepInclude(yield* send(`https://hooks.test:${server.port}/`), { errorCode: "blocked_address" });
          const refused = yield* Effect.flip(policy.check(`https://hooks.test:${server.port}/`));
          assert.strictEqual(refused.reason, "address");
        }
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );

  it.live("that was public when saved and is private at delivery is refused", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send, policy, server } = yield* world();
        let asked = 0;
        dns.names.set("rebind.test", () => (asked++ < 2 ? ["93.184.216.34"] : ["127.0.0.1"]));
        yield* policy.check(`https://rebind.test:${server.port}/`);
        assert.deepInclude(yield* send(`https://rebind.test:${server.port}/`), { errorCode: "blocked_address" });
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );

  it.live("is looked up once per attempt, so the vetted address is the one connected to", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send, server } = yield* world({ allowedNetworks: ["127.0.0.1/32"] });
        let asked = 0;
        // A and AAAA are one lookup; a second lookup for the connection would return an address that is not allowed.
        dns.names.set("rebind.test", () => (asked++ < 2 ? ["127.0.0.1"] : ["127.0.0.2"]));
        const outcome = yield* send(`http://rebind.test:${server.port}/`);
        assert.deepInclude(outcome, { status: 200, remoteIp: "127.0.0.1" });
        assert.strictEqual(asked, 2);
        assert.deepInclude(yield* send(`http://rebind.test:${server.port}/`), { errorCode: "blocked_address" });
        assert.strictEqual(server.connections(), 1);
      }),
    ),
  );

  it.live("that changes its address gets a new connection although the old one is open", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send } = yield* world(ALLOWED);
        const server = yield* httpServer((_, response) => void response.end(), "0.0.0.0");
        dns.names.set("moving.test", ["127.0.0.1"]);
        const url = `http://moving.test:${server.port}/`;
        assert.strictEqual((yield* send(url)).remoteIp, "127.0.0.1");
        assert.strictEqual((yield* send(url)).remoteIp, "127.0.0.1");
        assert.strictEqual(server.connections(), 1, "kept alive");
        dns.names.set("moving.test", ["127.0.0.2"]);
        assert.strictEqual((yield* send(url)).remoteIp, "127.0.0.2");
      }),
    ),
  );

  it.live("with an address without a listener is reached at its other address", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, send, server } = yield* world(ALLOWED);
        dns.names.set("two.test", ["127.0.0.9", "127.0.0.1"]);
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
          const { send } = yield* world(ALLOWED);
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
        const { send, server } = yield* world(ALLOWED);
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
        const { send, server } = yield* world();
        const outcome = yield* send(pattern.replace("PORT", String(server.port)));
        assert.match(outcome.errorCode ?? "", /^blocked_(url|address)$/);
        assert.strictEqual(server.connections(), 0);
      }),
    ),
  );
});
