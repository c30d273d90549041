import { gzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import { isDelivered, WebhookSender } from "@postern/core/webhooks";
import { makeAuthority, scriptedGuard } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { afterAll } from "vitest";
import { layer, type WebhookHttpOptions } from "../src/index.ts";
import { httpServer, httpsServer, tcpServer } from "./servers.ts";

const HTTP = { allowHttp: true };
const NAMES = new Map([["hooks.example.com", ["127.0.0.1"]]]);
const POST = {
  endpointId: "we_1",
  headers: { "content-type": "application/json" },
  body: new TextEncoder().encode("{}"),
};

const senderWith = (options: WebhookHttpOptions = HTTP) =>
  Effect.provide(
    Effect.map(
      WebhookSender,
      ({ send }) =>
        (url: string) =>
          send({ ...POST, url }),
    ),
    Layer.provide(layer(options), scriptedGuard(NAMES)),
  );

const usable = <A, E>(test: Effect.Effect<A, E, import("effect").Scope.Scope>) => Effect.scoped(test);

describe("a response that is too slow", () => {
  it.live("ends at the timeout while a byte arrives every 200 ms [S1.3-20]", () =>
    usable(
      Effect.gen(function* () {
        let dripped = 0;
        const { port } = yield* httpServer((_, response) => {
          response.writeHead(200);
          const drip = setInterval(() => response.write(".", () => dripped++), 200);
          response.on("close", () => clearInterval(drip));
        });
        const send = yield* senderWith({ ...HTTP, timeout: "1500 millis" });
        const outcome = yield* send(`http://127.0.0.1:${port}/`);
        assert.deepInclude(outcome, { status: 200, errorCode: "timeout", remoteIp: "127.0.0.1" });
        assert.match(outcome.excerpt, /^\.+$/);
        const ended = dripped;
        yield* Effect.sleep("700 millis");
        assert.isAtMost(dripped, ended + 1, "the connection is closed");
      }),
    ),
  );

  it.live("ends early after many informational responses without a final one, and not after a few of them", () =>
    usable(
      Effect.gen(function* () {
        let written = 0;
        const early = "HTTP/1.1 102 Processing\r\n\r\n";
        const endless = yield* tcpServer((socket) => {
          const drip = setInterval(() => socket.write(early, () => written++), 10);
          socket.on("close", () => clearInterval(drip));
        });
        const few = yield* tcpServer((socket) =>
          socket.once("data", () => socket.write(`${early.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`)),
        );
        const send = yield* senderWith({ ...HTTP, timeout: "10 seconds" });
        assert.isTrue(isDelivered(yield* send(`http://127.0.0.1:${few.port}/`)));
        const outcome = yield* send(`http://127.0.0.1:${endless.port}/`);
        assert.deepInclude(outcome, { status: null, errorCode: "bad_response" });
        assert.isBelow(written, 200);
      }),
    ),
  );

  it.live("ends at the timeout while headers never end", () =>
    usable(
      Effect.gen(function* () {
        const { port } = yield* tcpServer((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n");
          const drip = setInterval(() => socket.write("X-A: b\r\n"), 50);
          socket.on("close", () => clearInterval(drip));
        });
        const send = yield* senderWith({ ...HTTP, timeout: "500 millis" });
        assert.deepInclude(yield* send(`http://127.0.0.1:${port}/`), { status: null, errorCode: "timeout" });
      }),
    ),
  );

  it.live("fails to connect without a TLS handshake", () =>
    usable(
      Effect.gen(function* () {
        const { port } = yield* tcpServer(() => {});
        const send = yield* senderWith({ ...HTTP, connectTimeout: "400 millis" });
        const outcome = yield* send(`https://127.0.0.1:${port}/`);
        assert.deepInclude(outcome, { status: null, errorCode: "connect_timeout", remoteIp: null });
      }),
    ),
  );
});

describe("a response that is too large", () => {
  const sentUntilClosed = (piece: Buffer, total: number, head: Record<string, string> = {}) => {
    const seen = { bytes: 0, closed: false };
    const server = httpServer((request, response) => {
      request.resume();
      response.writeHead(200, head);
      const write = () => {
        while (seen.bytes < total && !response.destroyed) {
          seen.bytes += piece.length;
          if (!response.write(piece)) return;
        }
        response.end();
      };
      response.on("drain", write);
      response.on("close", () => (seen.closed = true));
      write();
    });
    return { seen, server };
  };

  it.live("of 1 GB is read only for a few KiB", () =>
    usable(
      Effect.gen(function* () {
        const { seen, server } = sentUntilClosed(Buffer.alloc(65_536, "a"), 1 << 30);
        const { port } = yield* server;
        const send = yield* senderWith();
        const outcome = yield* send(`http://127.0.0.1:${port}/`);
        assert.isTrue(isDelivered(outcome));
        assert.strictEqual(outcome.excerpt, "a".repeat(4096));
        yield* Effect.sleep("100 millis");
        assert.isTrue(seen.closed);
        assert.isBelow(seen.bytes, 32 << 20, "only as much as the socket buffers hold");
      }),
    ),
  );

  it.live("of many GB, from many receivers at once, does not increase memory", () =>
    usable(
      Effect.gen(function* () {
        const { server } = sentUntilClosed(Buffer.alloc(65_536, "a"), 1 << 30);
        const { port } = yield* server;
        const send = yield* senderWith();
        const hundred = Effect.forEach(Array.from({ length: 100 }), () => send(`http://127.0.0.1:${port}/`), {
          concurrency: 10,
        });
        yield* hundred;
        const before = process.memoryUsage();
        yield* hundred;
        const after = process.memoryUsage();
        assert.isBelow(after.arrayBuffers - before.arrayBuffers, 32 << 20);
        assert.isBelow(after.rss - before.rss, 96 << 20);
      }),
    ),
  );

  it.live("is not decompressed", () =>
    usable(
      Effect.gen(function* () {
        const bomb = gzipSync(Buffer.alloc(64 << 20));
        const { seen, server } = sentUntilClosed(bomb, bomb.length, { "content-encoding": "gzip" });
        const { port } = yield* server;
        const outcome = yield* (yield* senderWith())(`http://127.0.0.1:${port}/`);
        assert.strictEqual(outcome.status, 200);
        assert.isAtLeast(seen.bytes, bomb.length);
        assert.strictEqual(outcome.excerpt.charCodeAt(0), 0x1f, "the compressed bytes");
        assert.isAtMost(outcome.excerpt.length, 4096);
      }),
    ),
  );

  it.live("with 1 MB of headers fails", () =>
    usable(
      Effect.gen(function* () {
        const fields = Array.from({ length: 1000 }, (_, n) => `X-${n}: ${"v".repeat(1000)}\r\n`).join("");
        const one = yield* tcpServer((socket) => {
          socket.write(`HTTP/1.1 200 OK\r\n${fields}\r\n`);
        });
        const long = yield* tcpServer((socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nX: ${"v".repeat(1 << 20)}\r\n\r\n`);
        });
        const send = yield* senderWith();
        for (const { port } of [one, long]) {
          assert.deepInclude(yield* send(`http://127.0.0.1:${port}/`), {
            status: null,
            errorCode: "headers_too_large",
          });
        }
      }),
    ),
  );
});

describe("an invalid response", () => {
  it.live.each([
    ["SSH-2.0-OpenSSH_9.2\r\n", "bad_response"],
    ["HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "bad_response"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab", "bad_response"],
    ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "reset_before_headers"],
  ] as const)("%j", ([bytes, errorCode]) =>
    usable(
      Effect.gen(function* () {
        const { port } = yield* tcpServer((socket) => void socket.once("data", () => socket.write(bytes)));
        const send = yield* senderWith({ ...HTTP, timeout: "2 seconds" });
        assert.deepInclude(yield* send(`http://127.0.0.1:${port}/`), { status: null, errorCode });
      }),
    ),
  );
});

describe("a response cut off", () => {
  it.live.each([
    "Content-Length: 10\r\n\r\nhalf",
    "Transfer-Encoding: chunked\r\n\r\n5\r\nhal",
    "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nz",
  ])("%j", (rest) =>
    usable(
      Effect.gen(function* () {
        const { port } = yield* tcpServer(
          (socket) => void socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`)),
        );
        const outcome = yield* (yield* senderWith())(`http://127.0.0.1:${port}/`);
        assert.deepInclude(outcome, { status: 200, errorCode: "reset_after_headers" });
        assert.isFalse(isDelivered(outcome));
      }),
    ),
  );
});

describe("certificates", () => {
  const authority = makeAuthority();
  afterAll(authority.remove);
  const good = authority.issue("DNS:hooks.example.com,IP:127.0.0.1");

  const outcomeWith = (
    certificate: Parameters<typeof httpsServer>[1],
    tls: Parameters<typeof httpsServer>[2] = {},
    options: WebhookHttpOptions = { tlsOptions: { ca: authority.ca } },
  ) =>
    usable(
      Effect.gen(function* () {
        const { port } = yield* httpsServer((_, response) => void response.end("thanks"), certificate, tls);
        const send = yield* senderWith({ ...HTTP, ...options });
        return yield* send(`https://hooks.example.com:${port}/`);
      }),
    );

  it.live("a valid one is accepted", () =>
    Effect.gen(function* () {
      const outcome = yield* outcomeWith(good);
      assert.deepInclude(outcome, { status: 200, errorCode: null, excerpt: "thanks", remoteIp: "127.0.0.1" });
      assert.isTrue(isDelivered(yield* outcomeWith(good, { maxVersion: "TLSv1.2" })));
    }),
  );

  it.live.each([
    ["expired", authority.issue("DNS:hooks.example.com", -1), "tls_expired"],
    ["self-signed", authority.selfSigned("DNS:hooks.example.com"), "tls_self_signed"],
    ["for another host", authority.issue("DNS:hooks.example.org"), "tls_wrong_host"],
  ] as const)("one that is %s is refused, regardless of the environment", ([, certificate, errorCode]) =>
    Effect.gen(function* () {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      const outcome = yield* outcomeWith(certificate);
      assert.deepInclude(outcome, { status: null, errorCode });
    }).pipe(Effect.ensuring(Effect.sync(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED))),
  );

  it.live("one of an unknown authority is refused", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* outcomeWith(good, {}, {}), { status: null, errorCode: "tls_untrusted" });
    }),
  );

  it.live("TLS 1.1 and plain text are refused", () =>
    Effect.gen(function* () {
      const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
      assert.deepInclude(yield* outcomeWith(good, old), { status: null, errorCode: "tls_failed" });
      const plain = usable(
        Effect.gen(function* () {
          const { port } = yield* httpServer((_, response) => void response.end());
          return yield* (yield* senderWith())(`https://127.0.0.1:${port}/`);
        }),
      );
      assert.deepInclude(yield* plain, { status: null, errorCode: "tls_failed" });
    }),
  );

  it.live("the host name is sent in the handshake, and an IP address needs a certificate for it", () =>
    usable(
      Effect.gen(function* () {
        const { port } = yield* httpsServer((_, response) => void response.end(), good);
        const other = yield* httpsServer(
          (_, response) => void response.end(),
          authority.issue("DNS:hooks.example.com"),
        );
        const send = yield* senderWith({ ...HTTP, tlsOptions: { ca: authority.ca } });
        assert.isTrue(isDelivered(yield* send(`https://127.0.0.1:${port}/`)));
        assert.deepInclude(yield* send(`https://127.0.0.1:${other.port}/`), { errorCode: "tls_wrong_host" });
      }),
    ),
  );
});
