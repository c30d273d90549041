import { createHash, X509Certificate } from "node:crypto";
import { assert, describe, it } from "@effect/vitest";
import { HostAdmission } from "@postern/core/accounts";
import { CredentialVault } from "@postern/core/auth";
import { type MailServer, MailServers } from "@postern/core/mail";
import { type AttemptOutcome, MailTransport } from "@postern/core/send";
import { AccountId, EgressGuard } from "@postern/core/shared";
import {
  type Certificate,
  type HostAnswer,
  makeAuthority,
  passwordsOnly,
  rawServer,
  scriptedGuard,
} from "@postern/testkit";
import { Effect, Layer, Redacted, Stream } from "effect";
import { afterAll } from "vitest";
import { layer, type SmtpOptions } from "../src/index.ts";
import { speakSmtp } from "./speak-smtp.ts";
import { Vault } from "./transport-on-scripted-smtp.ts";

const authority = makeAuthority();
afterAll(authority.remove);
const valid = authority.issue("DNS:smtp.test,IP:127.0.0.1");
const selfSigned = authority.selfSigned("DNS:elsewhere.test");
const pinOf = ({ cert }: Certificate): string =>
  createHash("sha256").update(new X509Certificate(cert).raw).digest("hex");

const JANE = AccountId("jane@example.org");

const QUICK: SmtpOptions = {
  timeouts: { connect: "1 second", command: "2 seconds" },
  tlsOptions: { ca: authority.ca },
  requireAuth: false,
};

const publicLoopback = Layer.succeed(EgressGuard, {
  resolve: () => Effect.succeed([{ address: "127.0.0.1", family: 4, allowed: false }] as const),
});

type Own = Pick<MailServer, "port"> & Partial<MailServer>;

const send = Effect.flatMap(MailTransport, (transport) =>
  transport.deliver(
    JANE,
    {
      from: "jane@example.org",
      recipients: ["a@y.test"],
      size: 100,
      envelopeId: "out_1",
      message: Stream.make(Buffer.from("Subject: x\r\n\r\nHi\r\n")),
    },
    () => Effect.succeed(true),
  ),
);

/** Runs a test with the transport over one server of the account's own. */
const on = <A, E>(
  server: Own | (() => Own),
  test: Effect.Effect<A, E, MailTransport | CredentialVault>,
  guard: Layer.Layer<EgressGuard> = scriptedGuard(),
) => {
  const servers = Layer.succeed(MailServers, {
    of: () =>
      Effect.sync(() => {
        const given = typeof server === "function" ? server() : server;
        const whole: MailServer = { host: "127.0.0.1", tls: "starttls", origin: "account", ...given };
        return { imap: whole, smtp: whole };
      }),
  });
  const credential = { _tag: "Password" as const, username: JANE, password: Redacted.make("right") };
  return Effect.flatMap(CredentialVault, (vault) => vault.keep(JANE, credential)).pipe(
    Effect.andThen(test),
    Effect.provide(
      layer(QUICK).pipe(
        Layer.provide([servers, guard, HostAdmission.unlimited, passwordsOnly]),
        Layer.provideMerge(Vault),
      ),
    ),
  );
};

const outcomeOf = (outcome: AttemptOutcome): string =>
  "reason" in outcome ? `${outcome._tag} ${outcome.reason}` : outcome._tag;

const sent = Effect.map(send, outcomeOf);

describe("a server of the account's own", () => {
  it.live("is reached at a checked address, which the guard returns once per connection", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* rawServer(speakSmtp());
      let asked = 0;
      const names = new Map([["smtp.test", () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"])]]);
      yield* on(
        { host: "smtp.test", port },
        Effect.gen(function* () {
          assert.deepStrictEqual([yield* sent, yield* sent], ["Answered", "Answered"]);
          assert.deepStrictEqual([asked, connections()], [1, 1], "the connection is kept");
        }),
        scriptedGuard(names),
      );
      assert.strictEqual(yield* on({ host: "smtp.test", port }, sent, scriptedGuard(names)), "NotSent unreachable");
      assert.deepStrictEqual([asked, connections()], [2, 1]);
    }).pipe(Effect.scoped),
  );

  it.live.each<readonly [string, HostAnswer]>([
    ["one denied address", ["10.0.0.1"]],
    ["a denied address beside an allowed one", ["127.0.0.1", "169.254.169.254"]],
    ["no address", "nxdomain"],
  ])("with %s is not contacted", ([, answer]) =>
    Effect.gen(function* () {
      const { port, connections } = yield* rawServer(speakSmtp());
      const guard = scriptedGuard(new Map([["smtp.test", answer]]));
      assert.strictEqual(yield* on({ host: "smtp.test", port }, sent, guard), "NotSent unreachable");
      assert.strictEqual(connections(), 0);
    }).pipe(Effect.scoped),
  );

  it.live("is reached at its next address where the first has no listener, with the user name of its record", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(speakSmtp());
      const guard = scriptedGuard(new Map([["smtp.test", ["127.0.0.9", "127.0.0.1"]]]));
      assert.strictEqual(yield* on({ host: "smtp.test", port, username: "jane7" }, sent, guard), "Answered");
      const [, initial = ""] = /AUTH PLAIN (\S+)/.exec(received()) ?? [];
      assert.strictEqual(Buffer.from(initial, "base64").toString(), "\0jane7\0right");
    }).pipe(Effect.scoped),
  );

  it.live("never gets the credential of the server that replaces it while a connection waits", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* rawServer(speakSmtp()), yield* rawServer(speakSmtp())];
      let [port, move] = [first.port, () => {}];
      const server = () => {
        const before = { port };
        move();
        return before;
      };
      yield* on(
        server,
        Effect.gen(function* () {
          const vault = yield* CredentialVault;
          const credential = { _tag: "Password" as const, username: JANE, password: Redacted.make("right") };
          move = () => {
            if (port === first.port) Effect.runSync(vault.keep(JANE, credential));
            port = second.port;
          };
          assert.strictEqual(yield* sent, "Answered");
          assert.deepStrictEqual([first.connections(), second.connections()], [0, 1]);
        }),
      );
    }).pipe(Effect.scoped),
  );

  it.live("is no longer used once another server replaces it in the account's record", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* rawServer(speakSmtp()), yield* rawServer(speakSmtp())];
      let port = first.port;
      yield* on(
        () => ({ port }),
        Effect.gen(function* () {
          yield* sent;
          port = second.port;
          assert.deepStrictEqual([yield* sent, yield* sent], ["Answered", "Answered"]);
          assert.deepStrictEqual([first.connections(), second.connections()], [1, 1]);
        }),
      );
    }).pipe(Effect.scoped),
  );
});

describe("a certificate", () => {
  for (const tls of ["implicit", "starttls"] as const) {
    const serverWith = (certificate: Certificate) =>
      tls === "implicit" ? rawServer(speakSmtp(), certificate) : rawServer(speakSmtp({ certificate }));

    it.live(`of a trusted authority is accepted for its name only (${tls})`, () =>
      Effect.gen(function* () {
        const { port } = yield* serverWith(valid);
        const here = ["127.0.0.1"];
        const guard = scriptedGuard(new Map([["smtp.test", here] as const, ["other.test", here] as const]));
        assert.strictEqual(yield* on({ host: "smtp.test", port, tls }, sent, guard), "Answered");
        assert.strictEqual(yield* on({ port, tls }, sent), "Answered");
        assert.strictEqual(yield* on({ host: "other.test", port, tls }, sent, guard), "NotSent untrusted");
      }).pipe(Effect.scoped),
    );

    it.live(`is accepted only if it is the pinned one, from any authority (${tls}) [S10.3-12]`, () =>
      Effect.gen(function* () {
        const { port, received } = yield* serverWith(selfSigned);
        assert.strictEqual(yield* on({ port, tls }, sent), "NotSent untrusted");
        const trusted = yield* serverWith(valid);
        const wrong = { port: trusted.port, tls, certificateSha256: pinOf(selfSigned) };
        assert.strictEqual(yield* on(wrong, sent), "NotSent untrusted");
        for (const text of [received(), trusted.received()]) assert.notInclude(text, "AUTH");
        if (tls === "implicit") assert.strictEqual(trusted.received(), "", "not a byte after the handshake");
        assert.strictEqual(yield* on({ port, tls, certificateSha256: pinOf(selfSigned) }, sent), "Answered");
      }).pipe(Effect.scoped),
    );
  }
});

describe("a server without STARTTLS", () => {
  it.live("gets no password, unless the operator exempted its address and no certificate is pinned [S10.3-13]", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(speakSmtp());
      assert.match(yield* on({ port }, sent, publicLoopback), /^NotSent/);
      assert.match(yield* on({ port, certificateSha256: pinOf(valid) }, sent), /^NotSent/);
      assert.notInclude(received(), "AUTH");
      assert.strictEqual(yield* on({ port }, sent), "Answered");
    }).pipe(Effect.scoped),
  );
});

describe("a hostile server", () => {
  it.live.each([
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    "* OK IMAP4rev1 ready\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n",
    "+OK POP3 ready\r\n",
    "554 go away\r\n",
    "200 ready\r\n",
  ])("that greets with %j gets nothing [S10.4-7]", (greeting) =>
    Effect.gen(function* () {
      const { port, received, connections } = yield* rawServer((socket) => void socket.write(greeting));
      assert.match(yield* on({ port }, sent), /^NotSent (protocol|busy)$/);
      assert.deepStrictEqual([received(), connections()], ["", 1]);
    }).pipe(Effect.scoped),
  );

  it.live("that stays silent gets no data", () =>
    Effect.gen(function* () {
      const { port, received } = yield* rawServer(() => {});
      assert.strictEqual(yield* on({ port }, sent), "NotSent timeout");
      assert.strictEqual(received(), "");
    }).pipe(Effect.scoped),
  );

  it.live.each([
    ["a line", "220 ", "a".repeat(60)],
    ["a reply", "220-begin\r\n", `220-${"a".repeat(58)}\r\n`],
    // Each piece completes a reply and begins the next one.
    ["a stream of replies", "220-begin\r\n220-", `${"a".repeat(60)}\r\n220-`],
  ] as const)("that sends %s that never ends is cut off", ([, beginning, then]) =>
    Effect.gen(function* () {
      let bytes = 0;
      const { port } = yield* rawServer((socket) => {
        const piece = Buffer.alloc(65_536, then);
        const write = () => {
          while (!socket.destroyed && socket.write(piece)) bytes += piece.length;
        };
        socket.on("drain", write);
        socket.write(beginning);
        write();
      });
      assert.match(yield* on({ port }, sent), /^NotSent/);
      assert.isBelow(bytes, 16 << 20, "only what the sockets' buffers took");
    }).pipe(Effect.scoped),
  );
});
