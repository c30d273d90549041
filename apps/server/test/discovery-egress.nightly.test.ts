import { Socket } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import { AccountSettings, Discovery } from "@postern/core/accounts";
import { AccountId } from "@postern/core/shared";
import { layer as sources } from "@postern/discovery";
import { layer as egress } from "@postern/egress";
import { DENIED_ADDRESSES, dnsServer, httpsSite, LOOPBACK_ADDRESSES } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vi } from "vitest";

const DENIED = [...DENIED_ADDRESSES, ...LOOPBACK_ADDRESSES.filter((address) => address !== "127.0.0.1")];

/** Discovery over real DNS and https on the loopback, where only 127.0.0.1 may be contacted. */
const world = Effect.gen(function* () {
  const dns = yield* dnsServer;
  const site = yield* httpsSite("autoconfig.hostile.test", "hostile.test");
  const nameServers = [dns.address];
  const live = Discovery.layer.pipe(
    Layer.provide(sources({ nameServers, httpsPort: site.port, tlsOptions: { ca: site.ca } })),
    Layer.provide(egress({ nameServers, allowedNetworks: ["127.0.0.1/32"] })),
    Layer.provide(Layer.succeed(AccountSettings, { mode: "any", servers: null, domains: [], signInDomains: [] })),
  );
  const connect = yield* Effect.acquireRelease(
    Effect.sync(() => vi.spyOn(Socket.prototype, "connect")),
    (spy) => Effect.sync(() => spy.mockRestore()),
  );
  /** Discovers servers with an empty cache. */
  const discover = (address: string) =>
    Effect.flatMap(Discovery, (discovery) => discovery.of(AccountId(address))).pipe(Effect.provide(Layer.fresh(live)));
  return { dns, site, discover, connections: () => connect.mock.calls.length };
});

describe("discovery of mail servers", () => {
  it.live(`connects to none of ${DENIED.length} denied addresses of a domain`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, discover, connections } = yield* world;
        for (const address of DENIED) {
          dns.names.set("hostile.test", [address]).set("autoconfig.hostile.test", ["127.0.0.1", address]);
          const [best] = yield* discover("jane@hostile.test");
          assert.strictEqual(best?.source, "guess", address);
        }
        assert.isAtLeast(DENIED.length, 400);
        assert.strictEqual(connections(), 0);
      }),
    ),
  );

  it.live("connects to no denied address that a redirect names", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, site, discover, connections } = yield* world;
        const to = `https://hostile.test:${site.port}/elsewhere.xml`;
        site.answer((_, response) => void response.writeHead(302, { location: to }).end());
        dns.names.set("autoconfig.hostile.test", ["127.0.0.1"]);
        for (const [n, address] of DENIED.entries()) {
          dns.names.set("hostile.test", [address]);
          yield* discover("jane@hostile.test");
          assert.strictEqual(connections(), n + 1, "only to the host that redirects");
        }
        assert.strictEqual(site.connections(), DENIED.length);
        assert.isTrue(site.requests.every((request) => request.startsWith("autoconfig.hostile.test")));
      }),
    ),
  );

  it.live("neither resolves nor contacts a host that a document, an SRV or an MX answer names [S10.4-12]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, site, discover, connections } = yield* world;
        let resolved = 0;
        for (const name of ["imap.internal.test", "smtp.internal.test", "mx.internal.test"]) {
          dns.names.set(name, () => (resolved++, ["127.0.0.2"]));
        }
        const server = (element: string, type: string, host: string) =>
          `<${element} type="${type}"><hostname>${host}</hostname><port>993</port><socketType>SSL</socketType></${element}>`;
        const servers = ["127.0.0.2", "[::1]", "2130706433", "localhost", "imap.internal.test"]
          .map((host) => server("incomingServer", "imap", host) + server("outgoingServer", "smtp", host))
          .join("");
        const text = `<clientConfig><emailProvider>${servers}</emailProvider></clientConfig>`;
        site.answer((_, response) => void response.end(text));
        dns.names
          .set("autoconfig.hostile.test", ["127.0.0.1"])
          .set("_imaps._tcp.hostile.test", { srv: [{ target: "imap.internal.test", port: 22 }] })
          .set("_submissions._tcp.hostile.test", { srv: [{ target: "smtp.internal.test", port: 3306 }] })
          .set("hostile.test", { mx: [{ exchange: "mx.internal.test" }] });
        const found = yield* discover("jane@hostile.test");
        assert.deepStrictEqual(
          found.map(({ source, imap }) => [source, imap.host, imap.port, imap.origin]),
          [
            ["autoconfig", "imap.internal.test", 993, "account"],
            ["srv", "imap.internal.test", 22, "account"],
          ],
          "left to be judged at each connection",
        );
        assert.strictEqual(resolved, 0);
        assert.strictEqual(connections(), 1);
      }),
    ),
  );

  it.live("connects to the address that it checked, even if the name has changed meanwhile", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, site, discover, connections } = yield* world;
        let asked = 0;
        // A and AAAA are one lookup.
        dns.names.set("autoconfig.hostile.test", () => (asked++ < 2 ? ["127.0.0.1"] : ["127.0.0.2"]));
        yield* discover("jane@hostile.test");
        assert.strictEqual(asked, 2);
        assert.strictEqual(site.connections(), 1);
        yield* discover("jane@hostile.test");
        assert.strictEqual(asked, 4);
        assert.strictEqual(site.connections(), 1);
        assert.strictEqual(connections(), 1);
      }),
    ),
  );
});
