import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { assert, describe, it } from "@effect/vitest";
import { type MailCredential, MailLogin, type TokenCredential } from "@postern/core/auth";
import { AccountId } from "@postern/core/shared";
import { probeImap } from "@postern/imap";
import {
  describeWithDovecot,
  mailboxTreeContract,
  openIdProvider,
  rawServer,
  scriptedGuard,
  tokensOnly,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import { failureOf } from "./failure-of.ts";
import { imapOnDovecot } from "./imap-on-dovecot.ts";
import { speakImap } from "./speak-imap.ts";

const JANE = "jane,o=x@example.org";

const tokenOf = (token: string, username = JANE): TokenCredential => ({
  _tag: "AccessToken",
  username,
  token: Redacted.make(token),
});

const probe = Effect.fnUntraced(function* (port: number, credential: MailCredential) {
  const imap = yield* probeImap({ timeouts: { connect: "1 second", command: "1 second" } });
  const server = { host: "127.0.0.1", port, tls: "starttls", origin: "account" } as const;
  return yield* imap(server, credential, AccountId(JANE));
}, Effect.provide(scriptedGuard()));

const CHALLENGE = Buffer.from('{"status":"401","schemes":"bearer"}').toString("base64");

/** Handles a socket as a server that gives the reason for a refused token, and refuses after the client's answer. */
const refusing = (capabilities: string, end: string) => (socket: Socket) => {
  let [tag, isPending] = ["", false];
  createInterface({ input: socket })
    .on("line", (line) => {
      const [first = "", verb, , initial] = line.split(" ");
      if (verb === "CAPABILITY") socket.write(`* CAPABILITY ${capabilities}\r\n${first} OK\r\n`);
      else if (verb === "AUTHENTICATE") {
        [tag, isPending] = [first, initial === undefined];
        socket.write(isPending ? "+ \r\n" : `+ ${CHALLENGE}\r\n`);
      } else if (isPending) {
        isPending = false;
        socket.write(`+ ${CHALLENGE}\r\n`);
      } else if (tag !== "") socket.write(`${tag} ${end}\r\n`);
      else socket.write(`${first} OK\r\n`);
    })
    .on("error", () => {});
  socket.write("* OK ready\r\n");
};

/** Returns the lines of a client after AUTHENTICATE, with the response before them decoded. */
const exchange = (received: string): ReadonlyArray<string> => {
  const lines = received.split("\r\n");
  const at = lines.findIndex((line) => line.includes("AUTHENTICATE"));
  const [, , mechanism = "", initial] = lines[at]!.split(" ");
  const [response, ...answers] = initial === undefined ? lines.slice(at + 1) : [initial, ...lines.slice(at + 1)];
  return [mechanism, Buffer.from(response!, "base64").toString(), ...answers.slice(0, 1)];
};

const BEARER = (port: number) =>
  `n,a=jane=2Co=3Dx@example.org,\u0001host=127.0.0.1\u0001port=${port}\u0001auth=Bearer tok\u0001\u0001`;
const XOAUTH2 = () => `user=${JANE}\u0001auth=Bearer tok\u0001\u0001`;

describe("an access token", () => {
  it.live.each([
    ["IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2 AUTH=OAUTHBEARER", "OAUTHBEARER", BEARER, "AQ=="],
    ["IMAP4rev1 AUTH=OAUTHBEARER", "OAUTHBEARER", BEARER, "AQ=="],
    ["IMAP4rev1 SASL-IR AUTH=LOGIN AUTH=XOAUTH2", "XOAUTH2", XOAUTH2, ""],
    ["IMAP4rev1 AUTH=XOAUTH2", "XOAUTH2", XOAUTH2, ""],
  ] as const)(
    "goes to %s by %s, and its refusal is acknowledged and reported [S11.4-1]",
    ([capabilities, mechanism, response, answer]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* rawServer(refusing(capabilities, "NO [AUTHENTICATIONFAILED] no"));
          assert.deepStrictEqual(yield* probe(server.port, tokenOf("tok")), { _tag: "Failed", cause: "auth_refused" });
          assert.deepStrictEqual(exchange(server.received()), [mechanism, response(server.port), answer]);
          assert.notMatch(server.received(), /LOGIN|PLAIN/);
        }),
      ),
  );

  it.live.each([
    ["NO AUTHENTICATE failed: OAuth basic authentication is disabled", "auth_refused"],
    ["NO [UNAVAILABLE] Temporary failure", "unavailable"],
    ["NO [ALERT] Your account is not enabled for IMAP use. (Failure)", "imap_disabled"],
    ["BAD no", "protocol"],
  ] as const)("that is answered with %s fails as %s", ([end, cause]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { port } = yield* rawServer(refusing("IMAP4rev1 SASL-IR AUTH=XOAUTH2", end));
        assert.deepStrictEqual(yield* probe(port, tokenOf("tok")), { _tag: "Failed", cause });
      }),
    ),
  );

  it.live("is not sent to a server that accepts no tokens, nor if it contains a character that could end it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* rawServer(speakImap({ capabilities: "IMAP4rev1 AUTH=PLAIN AUTH=LOGIN" }));
        assert.deepStrictEqual(yield* probe(server.port, tokenOf("tok")), { _tag: "Failed", cause: "protocol" });
        assert.notMatch(server.received(), /LOGIN|AUTHENTICATE|tok/);
        const before = server.received();
        for (const impossible of [
          tokenOf(""),
          tokenOf("a\u0001auth=Bearer b"),
          tokenOf("tok", "a\u0001b@example.org"),
        ]) {
          assert.deepStrictEqual(yield* probe(server.port, impossible), { _tag: "Failed", cause: "auth_refused" });
        }
        assert.strictEqual(server.received(), before);
      }),
    ),
  );
});

describeWithDovecot("Dovecot with access tokens", () => {
  const overTokens = Layer.unwrap(
    Effect.map(openIdProvider(), (provider) =>
      imapOnDovecot(
        { tokens: { key: provider.publicKey } },
        {},
        "plaintext",
        tokensOnly((user, password) => (password === "stale" ? "stale" : provider.accessToken(user))),
      ),
    ),
  );
  mailboxTreeContract("MailboxTree", overTokens);

  it.live.each(["oauthbearer", "xoauth2"])(
    "is accepted by %s only if it is valid, of this user and for mail",
    (mechanisms) =>
      Effect.scoped(
        Effect.gen(function* () {
          const provider = yield* openIdProvider();
          const ports = yield* Layer.build(imapOnDovecot({ tokens: { key: provider.publicKey, mechanisms } }));
          const user = "jane@example.org";
          const verify = (token: string) =>
            Effect.flatMap(MailLogin, (login) => login.verify(AccountId(user), tokenOf(token, user))).pipe(
              Effect.provide(ports),
            );
          yield* verify(provider.accessToken(user));
          const another = provider.accessToken("john@example.org");
          for (const wrong of [another, provider.accessToken(user, ["openid"]), "x.y.z"]) {
            assert.strictEqual(yield* failureOf(verify(wrong)), "LoginRefused");
          }
          provider.behave({ lifetime: -60 });
          assert.strictEqual(yield* failureOf(verify(provider.accessToken(user))), "LoginRefused");
        }),
      ),
  );
});
