import { Socket } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import { HostAdmission } from "@postern/core/accounts";
import { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { type MailServer, MailServers } from "@postern/core/mail";
import { MailTransport } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { layer as egress } from "@postern/egress";
import { layer as imap, probeImap } from "@postern/imap";
import { StoresInMemory } from "@postern/memory";
import { layer as smtp, probeSmtp } from "@postern/smtp";
import {
  DENIED_ADDRESSES,
  dnsServer,
  LOOPBACK_ADDRESSES,
  passwordsOnly,
  PUBLIC_ADDRESSES,
  rawServer,
} from "@postern/testkit";
import { Effect, Layer, Redacted, Stream } from "effect";
import { vi } from "vitest";

const DENIED = [...DENIED_ADDRESSES, ...LOOPBACK_ADDRESSES.filter((address) => address !== "127.0.0.1")];

const JANE = AccountId("jane@example.org");
const CREDENTIAL = { _tag: "Password" as const, username: JANE, password: Redacted.make("secret") };
const MESSAGE = { from: JANE, recipients: ["a@y.test"], size: 100, envelopeId: "out_1" };

/** IMAP and SMTP behind the real guard, where only 127.0.0.1 is exempted, with a count of the sockets they connect. */
const world = Effect.gen(function* () {
  const dns = yield* dnsServer;
  let server: MailServer | undefined;
  const servers = Layer.succeed(MailServers, { of: () => Effect.sync(() => ({ imap: server!, smtp: server! })) });
  const guard = egress({
    nameServers: [dns.address],
    allowedNetworks: ["127.0.0.1/32"],
    ports: [143, 465, 587, 993],
  });
  const ports = yield* Layer.build(
    Layer.merge(imap(), smtp()).pipe(
      Layer.provide([servers, guard, HostAdmission.unlimited, passwordsOnly]),
      Layer.provideMerge(StoresInMemory),
    ),
  );
  const probes = yield* Effect.provide(
    Effect.all([
      probeImap({ timeouts: { connect: "1 second", greeting: "300 millis" } }),
      probeSmtp({ timeouts: { connect: "1 second", command: "300 millis" } }),
    ]),
    guard,
  );
  yield* Effect.provide(
    Effect.flatMap(CredentialVault, (vault) => vault.keep(JANE, CREDENTIAL)),
    ports,
  );
  const spy = yield* Effect.acquireRelease(
    Effect.sync(() => vi.spyOn(Socket.prototype, "connect")),
    (connect) => Effect.sync(() => connect.mockRestore()),
  );

  /** Returns the results of both probes. */
  const probe = (record: Pick<MailServer, "host" | "port"> & Partial<MailServer>) =>
    Effect.forEach(probes, (each) =>
      Effect.map(each({ tls: "starttls", origin: "account", ...record }, CREDENTIAL, JANE), (result) =>
        result._tag === "Failed" ? result.cause : result._tag,
      ),
    );

  /** Lists folders and sends a message; both fail. */
  const use = (record: Pick<MailServer, "host" | "port">) =>
    Effect.gen(function* () {
      server = { tls: "starttls", origin: "account", ...record };
      const { list } = yield* MailboxTree;
      const { deliver } = yield* MailTransport;
      assert.strictEqual((yield* Effect.flip(list(JANE)))._tag, "MailServerError");
      const outcome = yield* deliver(JANE, { ...MESSAGE, message: Stream.empty }, () => Effect.succeed(true));
      assert.deepInclude(outcome, { _tag: "NotSent", reason: "unreachable" });
    }).pipe(Effect.provide(ports));

  return { dns, probe, use, connections: () => spy.mock.calls.length };
});

const BOTH_DENIED = ["address_denied", "address_denied"];

describe("mail servers of accounts", () => {
  it.live(
    `at ${DENIED.length} denied addresses are never contacted, whether given as an address, by a name or beside another address [S10.4-5]`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { dns, probe, use, connections } = yield* world;
          for (const [n, address] of DENIED.entries()) {
            assert.deepStrictEqual(yield* probe({ host: address, port: 993, tls: "implicit" }), BOTH_DENIED, address);
            dns.names.set("mail.test", n % 2 === 0 ? [address] : ["127.0.0.1", address]);
            assert.deepStrictEqual(yield* probe({ host: "mail.test", port: 143 }), BOTH_DENIED, address);
            if (n % 20 === 0) yield* use({ host: "mail.test", port: 143 });
          }
          assert.isAtLeast(DENIED.length, 400);
          assert.strictEqual(connections(), 0);
        }),
      ),
  );

  it.live("are contacted at the four ports only, unless their address is exempted [S10.4-6]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, probe, use, connections } = yield* world;
        dns.names.set("mail.test", PUBLIC_ADDRESSES);
        for (const port of [1, 22, 25, 80, 110, 443, 995, 2525, 3306, 6379, 9200, 65_535]) {
          for (const host of ["mail.test", ...PUBLIC_ADDRESSES]) {
            assert.deepStrictEqual(yield* probe({ host, port }), BOTH_DENIED, `${host}:${port}`);
          }
          yield* use({ host: "mail.test", port });
        }
        assert.strictEqual(connections(), 0);
        const { port } = yield* rawServer((socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
        assert.deepStrictEqual(yield* probe({ host: "127.0.0.1", port }), ["not_a_mail_server", "not_a_mail_server"]);
        assert.strictEqual(connections(), 2);
      }),
    ),
  );

  it.live("whose name changes after the check are contacted only at the checked address [S10.4-5]", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { dns, probe, use, connections } = yield* world;
        const silent = yield* rawServer(() => {});
        let asked = 0;
        // A and AAAA are one lookup; each later one returns an address that is denied.
        dns.names.set("rebind.test", () => (asked++ < 2 ? ["127.0.0.1"] : ["169.254.169.254"]));
        const { port } = silent;
        assert.deepStrictEqual(yield* probe({ host: "rebind.test", port }), ["timeout", "address_denied"]);
        yield* use({ host: "rebind.test", port });
        assert.deepStrictEqual([connections(), silent.connections(), silent.received()], [1, 1, ""]);
      }),
    ),
  );
});
