import { createHash, X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import { HostAdmission, HostLimited } from "@postern/core/accounts";
import { CredentialVault, MailLogin } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { type MailServer, MailServers } from "@postern/core/mail";
import { EgressGuard } from "@postern/core/shared";
import { type ImapOptions, layer as imap } from "@postern/imap";
import {
  type Certificate,
  type HostAnswer,
  makeAuthority,
  passwordsOnly,
  rawServer,
  scriptedGuard,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import { afterAll } from "vitest";
import { vaultInMemory } from "./doubles.ts";
import { failureOf } from "./failure-of.ts";
import { CREDENTIAL, JANE, list, signIn } from "./scripted-account.ts";
import { speakImap } from "./speak-imap.ts";

const authority = makeAuthority();
afterAll(authority.remove);
const valid = authority.issue("DNS:imap.test,IP:127.0.0.1");
const selfSigned = authority.selfSigned("DNS:elsewhere.test");
const pinOf = ({ cert }: Certificate): string =>
  createHash("sha256").update(new X509Certificate(cert).raw).digest("hex");

const QUICK = {
  timeouts: { connect: "2 seconds", greeting: "700 millis", command: "2 seconds" },
  tlsOptions: { ca: authority.ca },
} satisfies ImapOptions;

/** A guard that treats loopback as public, so that the rules for exempted addresses do not apply. */
const publicLoopback = Layer.succeed(EgressGuard, {
  resolve: () => Effect.succeed([{ address: "127.0.0.1", family: 4, allowed: false }] as const),
});

type Own = Pick<MailServer, "port"> & Partial<MailServer>;

const own = (server: Own): MailServer => ({ host: "127.0.0.1", tls: "starttls", origin: "account", ...server });

/** Runs a test with the ports over one server of the account's own. */
const on = <A, E>(
  server: Own | (() => Own),
  test: Effect.Effect<A, E, MailLogin | MailboxTree | CredentialVault>,
  guard: Layer.Layer<EgressGuard> = scriptedGuard(),
  hosts: Layer.Layer<HostAdmission> = HostAdmission.unlimited,
) => {
  const servers = Layer.succeed(MailServers, {
    of: () =>
      Effect.sync(() => {
        const whole = own(typeof server === "function" ? server() : server);
        return { imap: whole, smtp: whole };
      }),
  });
  return Effect.flatMap(CredentialVault, (vault) => vault.keep(JANE, CREDENTIAL)).pipe(
    Effect.andThen(test),
    Effect.provide(
      imap(QUICK).pipe(Layer.provide([servers, guard, hosts, passwordsOnly]), Layer.provideMerge(vaultInMemory)),
    ),
  );
};

describe("a server of the account's own", () => {
  it.live("is reached at a checked address, which the guard returns once per connection", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* rawServer(speakImap());
      let asked = 0;
      const names = new Map([["imap.test", () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"])]]);
      const server = { host: "imap.test", port };
      yield* on(
        server,
        Effect.gen(function* () {
          yield* list;
          assert.deepStrictEqual([asked, connections()], [1, 1]);
          yield* list;
          assert.deepStrictEqual([asked, connections()], [1, 1], "the connection is kept");
          assert.strictEqual(yield* failureOf(signIn), "MailServerError unreachable", "the name leads elsewhere now");
          assert.deepStrictEqual([asked, connections()], [2, 1]);
        }),
        scriptedGuard(names),
      );
    }).pipe(Effect.scoped),
  );

  it.live.each<readonly [string, HostAnswer]>([
    ["one denied address", ["10.0.0.1"]],
    ["a denied address beside an allowed one", ["127.0.0.1", "169.254.169.254"]],
    ["no address", "nxdomain"],
    ["failing name servers", "servfail"],
  ])("with %s is not contacted", ([, answer]) =>
    Effect.gen(function* () {
      const { port, connections } = yield* rawServer(speakImap());
      const server = { host: "imap.test", port };
      const guard = scriptedGuard(new Map([["imap.test", answer]]));
      assert.strictEqual(yield* on(server, failureOf(signIn), guard), "MailServerError unreachable");
      assert.strictEqual(yield* on(server, failureOf(list), guard), "MailServerError unreachable");
      assert.strictEqual(connections(), 0);
    }).pipe(Effect.scoped),
  );

  it.live("is reached at its next address where the first has no listener", () =>
    Effect.gen(function* () {
      const { port } = yield* rawServer(speakImap());
      const guard = scriptedGuard(new Map([["imap.test", ["127.0.0.9", "127.0.0.8", "127.0.0.1"]]]));
      yield* on({ host: "imap.test", port }, signIn, guard);
    }).pipe(Effect.scoped),
  );

  it.live("gets the user name in its record", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(speakImap());
      yield* on({ port, username: "EXAMPLE\\jane" }, signIn);
      assert.match(received(), /LOGIN .*EXAMPLE/);
      assert.notInclude(received(), CREDENTIAL.username);
    }).pipe(Effect.scoped),
  );

  it.live("is contacted only after an admission, one for each connection", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* rawServer(speakImap());
      const purposes: Array<string> = [];
      let refused: HostLimited | undefined;
      const hosts = Layer.succeed(HostAdmission, {
        admit: (_, purpose) =>
          Effect.suspend(() => {
            purposes.push(purpose);
            return refused === undefined ? Effect.void : Effect.fail(refused);
          }),
      });
      yield* on(
        { port },
        Effect.gen(function* () {
          yield* list;
          yield* list;
          yield* signIn;
          assert.deepStrictEqual([purposes, connections()], [["request", "request"], 2]);
          refused = new HostLimited();
          assert.strictEqual(yield* failureOf(signIn), "MailServerError limited");
          assert.strictEqual(connections(), 2);
        }),
        scriptedGuard(),
        hosts,
      );
    }).pipe(Effect.scoped),
  );

  it.live("never gets the credential of the server that replaces it while a connection waits", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* rawServer(speakImap()), yield* rawServer(speakImap())];
      let [port, move] = [first.port, () => {}];
      const hosts = Layer.succeed(HostAdmission, { admit: () => Effect.sync(() => move()) });
      yield* on(
        () => ({ port }),
        Effect.gen(function* () {
          const vault = yield* CredentialVault;
          move = () => {
            if (port === first.port)
              Effect.runSync(vault.keep(JANE, { ...CREDENTIAL, password: Redacted.make("new") }));
            port = second.port;
          };
          yield* list;
          assert.deepStrictEqual([first.connections(), second.connections()], [0, 1]);
        }),
        scriptedGuard(),
        hosts,
      );
    }).pipe(Effect.scoped),
  );

  it.live("is no longer used once another server replaces it in the account's record", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* rawServer(speakImap()), yield* rawServer(speakImap())];
      let port = first.port;
      yield* on(
        () => ({ port }),
        Effect.gen(function* () {
          yield* list;
          port = second.port;
          yield* list;
          yield* list;
          assert.deepStrictEqual([first.connections(), second.connections()], [1, 1]);
        }),
      );
    }).pipe(Effect.scoped),
  );
});

describe("a certificate", () => {
  for (const tls of ["implicit", "starttls"] as const) {
    const serverWith = (certificate: Certificate) =>
      tls === "implicit" ? rawServer(speakImap(), certificate) : rawServer(speakImap({ certificate }));

    it.live(`of a trusted authority is accepted for its name only (${tls}) [S10.4-5]`, () =>
      Effect.gen(function* () {
        const { port } = yield* serverWith(valid);
        const guard = scriptedGuard(
          new Map([
            ["imap.test", ["127.0.0.1"]],
            ["other.test", ["127.0.0.1"]],
          ]),
        );
        yield* on({ host: "imap.test", port, tls }, signIn, guard);
        yield* on({ port, tls }, signIn);
        assert.strictEqual(
          yield* on({ host: "other.test", port, tls }, failureOf(signIn), guard),
          "MailServerError untrusted",
        );
      }).pipe(Effect.scoped),
    );

    it.live(`is accepted only if it is the pinned one, from any authority (${tls}) [S10.3-12]`, () =>
      Effect.gen(function* () {
        const { port, received } = yield* serverWith(selfSigned);
        assert.strictEqual(yield* on({ port, tls }, failureOf(signIn)), "MailServerError untrusted");
        const trusted = yield* serverWith(valid);
        const wrong = { port: trusted.port, tls, certificateSha256: pinOf(selfSigned) };
        assert.strictEqual(yield* on(wrong, failureOf(signIn)), "MailServerError untrusted");
        for (const sent of [received(), trusted.received()]) assert.notMatch(sent, /LOGIN|AUTHENTICATE/);
        if (tls === "implicit") assert.strictEqual(trusted.received(), "", "not a byte after the handshake");
        yield* on({ port, tls, certificateSha256: pinOf(selfSigned) }, signIn);
      }).pipe(Effect.scoped),
    );
  }
});

describe("a server without STARTTLS", () => {
  it.live("gets no password, unless the operator exempted its address and no certificate is pinned [S10.3-13]", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(speakImap());
      assert.strictEqual(yield* on({ port }, failureOf(signIn), publicLoopback), "MailServerError unreachable");
      assert.strictEqual(
        yield* on({ port, certificateSha256: pinOf(valid) }, failureOf(signIn)),
        "MailServerError unreachable",
      );
      assert.notInclude(received(), "LOGIN");
      yield* on({ port }, signIn);
      assert.include(received(), "LOGIN");
    }).pipe(Effect.scoped),
  );

  it.live("is accepted at exempted addresses, and STARTTLS is used there if it is offered", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(speakImap({ certificate: valid }));
      yield* on({ port }, signIn);
      assert.include(received(), "STARTTLS");
      assert.notInclude(received(), "LOGIN", "the login is encrypted");
    }).pipe(Effect.scoped),
  );
});

describe("a hostile server", () => {
  it.live.each([
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    "220 mail.test ESMTP\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n",
    "+OK POP3 ready\r\n",
    "* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n* OK ready\r\n",
    "* NO go away\r\n",
    "A OK ready\r\n",
    "\0\0\0\n",
  ])("that greets with %j gets nothing [S10.4-7]", (greeting) =>
    Effect.gen(function* () {
      const { port, received, connections } = yield* rawServer((socket) => void socket.write(greeting));
      assert.strictEqual(yield* on({ port }, failureOf(signIn)), "MailServerError protocol");
      assert.deepStrictEqual([received(), connections()], ["", 1]);
    }).pipe(Effect.scoped),
  );

  it.live("that stays silent gets no data", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(() => {});
      assert.strictEqual(yield* on({ port }, failureOf(signIn)), "MailServerError timeout");
      assert.strictEqual(received(), "");
    }).pipe(Effect.scoped),
  );

  const flood = (beginning: string) => (socket: Socket) => {
    const piece = Buffer.alloc(1 << 20, "a");
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", write);
    socket.write(beginning);
    write();
  };

  it.live.each([
    ["a line that never ends", "* OK "],
    ["a literal of 4 GB", "* OK {4294967296}\r\n"],
    ["a literal of 1 GB", "* OK {1073741824}\r\n"],
  ] as const)("that sends %s is cut off before it fills the memory", ([, beginning]) =>
    Effect.gen(function* () {
      const { port } = yield* rawServer(flood(beginning));
      const before = process.memoryUsage();
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 5);
      const failed = yield* Effect.ensuring(
        on({ port }, failureOf(signIn)),
        Effect.sync(() => clearInterval(watch)),
      );
      assert.strictEqual(failed, "MailServerError flood", "not the timeout");
      assert.isBelow(most - before.arrayBuffers, 96 << 20);
    }).pipe(Effect.scoped),
  );
});
