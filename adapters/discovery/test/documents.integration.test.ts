import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import { DiscoverySources, type NamedServers, NO_SERVERS } from "@postern/core/accounts";
import { httpsSite } from "@postern/testkit";
import { Clock, Effect, Fiber } from "effect";
import { documentOf } from "./published-document.ts";
import { realDomains } from "./real-domains.ts";

const SERVERS: NamedServers = {
  imap: [{ host: "imap.provider.example", port: 993, tls: "implicit" }],
  smtp: [{ host: "smtp.provider.example", port: 465, tls: "implicit" }],
  signIn: [{ kind: "password" }],
};
const DOCUMENT = documentOf(SERVERS);

/** A domain whose `autoconfig.` host is on the loopback, with its answers. */
const world = (listener: (domain: string, port: number) => RequestListener) =>
  Effect.gen(function* () {
    const { site, addresses, sources, newDomain } = yield* realDomains;
    const domain = yield* newDomain;
    addresses.set(`autoconfig.${domain}`, ["127.0.0.1"]);
    site.answer(listener(domain, site.port));
    const autoconfig = Effect.flatMap(DiscoverySources, (port) => port.autoconfig(domain)).pipe(
      Effect.provide(sources),
    );
    return { domain, site, addresses, autoconfig };
  });

const redirectTo =
  (location: (domain: string, port: number) => string) =>
  (domain: string, port: number): RequestListener =>
  (request, response) => {
    const isStart = request.url?.startsWith("/mail/config-v1.1.xml") === true;
    if (isStart) response.writeHead(302, { location: location(domain, port) }).end();
    else response.end(DOCUMENT);
  };

describe("an autoconfig document over https", () => {
  it.live("is requested with the address of the postmaster, never the user's [S10.4-13]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, site, autoconfig } = yield* world((name) => (_, response) => {
          const own = (username: string) => SERVERS.imap.map((server) => ({ ...server, username }));
          response.end(documentOf({ ...SERVERS, imap: own(`postmaster@${name}`), smtp: own("postmaster") }));
        });
        const { imap, smtp } = yield* autoconfig;
        assert.strictEqual(imap[0]?.username, "%EMAILADDRESS%");
        assert.strictEqual(smtp[0]?.username, "%EMAILLOCALPART%");
        const query = `/mail/config-v1.1.xml?emailaddress=postmaster%40${domain}`;
        assert.deepStrictEqual(site.requests, [`autoconfig.${domain}:${site.port} ${query}`]);
      }),
    ),
  );

  it.live("yields at most ten servers, and so does an answer of DNS [S10.4-11]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const many = (host: string, port: number) =>
          Array.from({ length: 30 }, (_, n) => ({
            host: `${host}${n}.provider.example`,
            port,
            tls: "implicit" as const,
          }));
        const named = { imap: many("imap", 993), smtp: many("smtp", 465), signIn: [] };
        const { publish, sources } = yield* realDomains;
        const domain = yield* publish({ autoconfig: named, srv: named });
        const found = yield* Effect.provide(
          Effect.flatMap(DiscoverySources, (port) => Effect.all([port.autoconfig(domain), port.srv(domain)])),
          sources,
        );
        for (const { imap, smtp } of found) {
          assert.deepStrictEqual([imap, smtp], [named.imap.slice(0, 10), named.smtp.slice(0, 10)]);
        }
      }),
    ),
  );

  it.live("is abandoned if informational responses precede it endlessly [S10.4-11]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let written = 0;
        const { autoconfig } = yield* world(() => (_, response) => {
          const drip = setInterval(() => response.writeProcessing(() => written++), 5);
          response.on("close", () => clearInterval(drip));
        });
        assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        assert.isAbove(written, 0);
        assert.isBelow(written, 100);
      }),
    ),
  );

  it.live("is fetched from the domain itself if the autoconfig host has no document or does not answer", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, addresses, autoconfig } = yield* world(() => (request, response) => {
          if (request.url === "/.well-known/autoconfig/mail/config-v1.1.xml") response.end(DOCUMENT);
        });
        addresses.set(domain, ["127.0.0.1"]);
        assert.deepStrictEqual(yield* autoconfig, SERVERS);
      }),
    ),
  );

  it.live.each([
    ["at the same host", (domain: string, port: number) => `https://autoconfig.${domain}:${port}/other.xml`],
    ["by a path", () => "/other.xml"],
    ["at the domain", (domain: string, port: number) => `https://${domain}:${port}/other.xml`],
  ] as const)("is found behind a redirect within the site: %s", ([, location]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, addresses, autoconfig } = yield* world(redirectTo(location));
        addresses.set(domain, ["127.0.0.1"]);
        assert.deepStrictEqual(yield* autoconfig, SERVERS);
      }),
    ),
  );

  it.live.each([
    ["another site", (_: string, port: number) => `https://elsewhere.test:${port}/other.xml`],
    ["a site with a similar name", (domain: string, port: number) => `https://x${domain}:${port}/other.xml`],
    ["an address", (_: string, port: number) => `https://127.0.0.1:${port}/other.xml`],
    ["an IPv6 address", (_: string, port: number) => `https://[::ffff:127.0.0.1]:${port}/other.xml`],
    ["plain http", (domain: string, port: number) => `http://autoconfig.${domain}:${port}/other.xml`],
    ["a user", (domain: string, port: number) => `https://a:b@autoconfig.${domain}:${port}/other.xml`],
    ["a file", () => "file:///etc/passwd"],
    ["nonsense", () => "https://%%%/"],
  ] as const)("is not looked for behind a redirect to %s [S10.4-12]", ([, location]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, site, addresses, autoconfig } = yield* world(redirectTo(location));
        for (const name of ["elsewhere.test", `x${domain}`]) addresses.set(name, ["127.0.0.1"]);
        assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        assert.strictEqual(site.connections(), 1);
      }),
    ),
  );

  it.live("is not requested at another port", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const elsewhere = yield* httpsSite("elsewhere.test");
        const { autoconfig } = yield* world(
          redirectTo((domain) => `https://autoconfig.${domain}:${elsewhere.port}/other.xml`),
        );
        assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        assert.strictEqual(elsewhere.connections(), 0);
      }),
    ),
  );

  it.live("is not requested after more than two redirects", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { site, autoconfig } = yield* world(redirectTo(() => "/mail/config-v1.1.xml"));
        assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        assert.strictEqual(site.connections(), 3);
      }),
    ),
  );

  it.live.each([
    ["over 64 KiB", (response) => response.end(DOCUMENT + " ".repeat(64 * 1024))],
    ["that never ends", (response) => void setInterval(() => response.write(" ".repeat(16_384)), 1).unref()],
    ["compressed", (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(DOCUMENT))],
    [
      "cut off",
      (response) => response.writeHead(200, { "content-length": 9_999 }).write(DOCUMENT, () => response.destroy()),
    ],
    ["of another status", (response) => response.writeHead(203).end(DOCUMENT)],
    ["behind a long header", (response) => response.writeHead(200, { "x-long": "x".repeat(20_000) }).end(DOCUMENT)],
  ] as ReadonlyArray<readonly [string, (response: Parameters<RequestListener>[1]) => unknown]>)(
    "%s is refused",
    ([, send]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { autoconfig } = yield* world(() => (_, response) => void send(response));
          assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        }),
      ),
  );

  it.live("of 64 KiB is read", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { autoconfig } = yield* world(() => (_, response) => void response.end(DOCUMENT.padEnd(64 * 1024)));
        assert.deepStrictEqual(yield* autoconfig, SERVERS);
      }),
    ),
  );

  it.live("is refused from a host without a trusted certificate for its name", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { site, addresses, sources } = yield* realDomains;
        addresses.set("autoconfig.uncertified.test", ["127.0.0.1"]);
        site.answer((_, response) => void response.end(DOCUMENT));
        const port = yield* Effect.provide(DiscoverySources, sources);
        assert.deepStrictEqual(yield* port.autoconfig("uncertified.test"), NO_SERVERS);
        assert.deepStrictEqual(site.requests, []);
        assert.strictEqual(site.connections(), 1);
      }),
    ),
  );

  it.live("is fetched on one connection, which is closed when discovery is interrupted", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let closed = 0;
        const { site, autoconfig } = yield* world(() => (request) => void request.socket.on("close", () => closed++));
        const asking = yield* Effect.forkChild(autoconfig);
        while (site.requests.length === 0) yield* Effect.sleep("5 millis");
        yield* Fiber.interrupt(asking);
        const started = yield* Clock.currentTimeMillis;
        while (closed === 0) yield* Effect.sleep("5 millis");
        assert.isBelow((yield* Clock.currentTimeMillis) - started, 1_000);
      }),
    ),
  );
});

describe("the guard", () => {
  it.live("checks the host of a redirect again, and never contacts a denied host", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, site, addresses, autoconfig } = yield* world(
          redirectTo((name, port) => `https://${name}:${port}/other.xml`),
        );
        addresses.set(domain, ["10.0.0.1"]);
        assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        assert.strictEqual(site.connections(), 1);
      }),
    ),
  );

  it.live("resolves a name once per connection, so a changed name does not lead elsewhere", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { domain, site, addresses, autoconfig } = yield* world(
          () => (_, response) => void response.end(DOCUMENT),
        );
        let asked = 0;
        addresses.set(`autoconfig.${domain}`, () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]));
        assert.deepStrictEqual(yield* autoconfig, SERVERS);
        assert.strictEqual(asked, 1);
        assert.deepStrictEqual(yield* autoconfig, NO_SERVERS);
        assert.strictEqual(site.connections(), 1);
      }),
    ),
  );
});
