import { assert, describe, it } from "@effect/vitest";
import { ServerProbe } from "@postern/core/accounts";
import type { MailCredential, TokenCredential } from "@postern/core/auth";
import { AccountId } from "@postern/core/shared";
import { type ScriptedSmtpOptions, scriptedGuard, ScriptedSmtp } from "@postern/testkit";
import { Effect, Redacted } from "effect";
import { probeSmtp } from "../src/index.ts";

type Probe = ServerProbe["Service"]["smtp"];

const JANE = "jane,o=x@example.org";

const tokenOf = (token: string, username = JANE): TokenCredential => ({
  _tag: "AccessToken",
  username,
  token: Redacted.make(token),
});

/** Runs a test with a server that knows no token yet, and a probe of it. */
const on = <A, E>(
  extensions: ScriptedSmtpOptions["extensions"],
  test: (
    server: ScriptedSmtp["Service"],
    probe: (credential: MailCredential) => ReturnType<Probe>,
  ) => Effect.Effect<A, E>,
) =>
  Effect.gen(function* () {
    const server = yield* ScriptedSmtp;
    const smtp = yield* probeSmtp({ timeouts: { connect: "1 second", command: "1 second" } });
    const record = { host: server.host, port: server.port, tls: "starttls", origin: "account" } as const;
    return yield* test(server, (credential) => smtp(record, credential, AccountId(JANE)));
  }).pipe(Effect.provide([ScriptedSmtp.layer({ extensions: extensions ?? [] }), scriptedGuard()]));

const BEARER = "n,a=jane=2Co=3Dx@example.org,\u0001auth=Bearer tok\u0001\u0001";
const XOAUTH2 = `user=${JANE}\u0001auth=Bearer tok\u0001\u0001`;

const decoded = (line: string): string => Buffer.from(line.split(" ")[2] ?? "", "base64").toString();

const isRefused = { _tag: "Failed", cause: "auth_refused" } as const;

describe("an access token", () => {
  it.live.each([
    ["AUTH LOGIN PLAIN XOAUTH2 OAUTHBEARER", "OAUTHBEARER", BEARER, "AQ=="],
    ["AUTH LOGIN XOAUTH2", "XOAUTH2", XOAUTH2, ""],
  ] as const)(
    "goes to %s by %s, and its refusal is acknowledged and reported [S11.4-1]",
    ([auth, mechanism, response, answer]) =>
      on([auth], (server, probe) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* probe(tokenOf("tok")), isRefused);
          const asked = server.lines().findIndex((line) => line.startsWith("AUTH"));
          assert.strictEqual(server.lines()[asked]?.split(" ")[1], mechanism);
          assert.strictEqual(decoded(server.lines()[asked]!), response);
          assert.strictEqual(server.lines()[asked + 1], answer);
          server.setToken(JANE, "tok");
          assert.strictEqual((yield* probe(tokenOf("tok")))._tag, "Accepted");
        }),
      ),
  );

  it.live.each([
    [535, "5.7.139", "Authentication unsuccessful, SmtpClientAuthentication is disabled", "auth_refused"],
    [454, "4.7.0", "Temporary authentication failure", "unavailable"],
  ] as const)("that is answered with %d %s %s fails as %s", ([code, enhanced, text, cause]) =>
    on(["AUTH XOAUTH2"], (server, probe) =>
      Effect.gen(function* () {
        server.behave({ auth: { code, enhanced, text } });
        assert.deepStrictEqual(yield* probe(tokenOf("tok")), { _tag: "Failed", cause });
      }),
    ),
  );

  it.live("is not sent to a server that accepts no tokens, nor if it contains a character that could end it", () =>
    on(["AUTH LOGIN PLAIN CRAM-MD5"], (server, probe) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* probe(tokenOf("tok")), { _tag: "Failed", cause: "protocol" });
        for (const impossible of [tokenOf(""), tokenOf("a\u0001auth=Bearer b"), tokenOf("tok", "a\u0001b@x.test")]) {
          assert.deepStrictEqual(yield* probe(impossible), isRefused);
        }
        assert.isFalse(server.lines().some((line) => line.startsWith("AUTH")));
      }),
    ),
  );
});

describe("a password", () => {
  it.live("never goes to a server that takes only tokens", () =>
    on(["AUTH XOAUTH2 OAUTHBEARER"], (server, probe) =>
      Effect.gen(function* () {
        const credential = { _tag: "Password", username: JANE, password: Redacted.make("secret") } as const;
        assert.deepStrictEqual(yield* probe(credential), { _tag: "Failed", cause: "oauth_required" });
        assert.isFalse(server.lines().some((line) => line.startsWith("AUTH")));
      }),
    ),
  );
});
