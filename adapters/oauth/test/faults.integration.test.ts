import { assert, describe, it } from "@effect/vitest";
import { AuthorizationServer } from "@postern/core/oauth";
import { AccountId, EgressGuard } from "@postern/core/shared";
import {
  type HostAnswer,
  httpsSite,
  type ProviderBehaviour,
  PUBLIC_ADDRESSES,
  rawServer,
  SCRIPTED,
  scriptedGuard,
} from "@postern/testkit";
import { Effect, Layer, Logger, Redacted } from "effect";
import { guardedFetch } from "../src/guarded-fetch.ts";
import { grantOf, overLoopback, REQUEST, settingOf, USER } from "./oauth-over-loopback.ts";
import { hookApp } from "./real-providers.ts";

const UNUSABLE = [
  ["is silent", SCRIPTED.silence, null],
  ["cuts the connection", SCRIPTED.cut, null],
  ["answers with a page", SCRIPTED.html, null],
  ["is busy", SCRIPTED.busy, 7_000],
  ["throttles the app, whatever error it names", SCRIPTED.throttled, 30_000],
  ["answers without end", SCRIPTED.endless, null],
  ["redirects", SCRIPTED.redirect, null],
  ["answers with no token", { _tag: "Answer", status: 200, body: "{}" }, null],
  [
    "answers with a token that would end its field",
    { _tag: "Answer", status: 200, body: '{"access_token":"a\\u0001b","token_type":"bearer"}' },
    null,
  ],
  ["answers with no object", { _tag: "Answer", status: 200, body: "null" }, null],
] as const;

describe("a provider that gives no usable answer", () => {
  it.live.each(UNUSABLE)("and %s is unavailable", ([, answer, retryAfter]) =>
    overLoopback({ timeout: "300 millis" })(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const { tokens } = yield* grantOf(setting);
        setting.provider.behave({ answers: { token: answer } });
        const error = yield* Effect.flip((yield* AuthorizationServer).refresh(setting.app, tokens.refreshToken!));
        assert.deepInclude(error, { _tag: "ProviderUnavailable", retryAfter });
      }),
    ),
  );

  it.live("and sends informational responses without end, fails soon", () =>
    Effect.gen(function* () {
      let written = 0;
      const { port } = yield* rawServer((socket) => {
        const early = "HTTP/1.1 102 Processing\r\n\r\n";
        const drip = setInterval(() => socket.write(early, () => written++), 10);
        socket.on("close", () => clearInterval(drip));
      });
      const fetch = guardedFetch(yield* Effect.provide(EgressGuard, scriptedGuard()), {});
      const refused = yield* Effect.flip(
        Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/token`, { method: "POST", headers: {} })),
      );
      assert.deepInclude(refused.cause, { _tag: "NotAnswered" });
      assert.isBelow(written, 200);
    }).pipe(Effect.scoped),
  );

  it.live("is unavailable in time even if the caller cannot be interrupted", () =>
    overLoopback({ timeout: "300 millis" })(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const { refresh } = yield* AuthorizationServer;
        setting.provider.behave({ answers: { token: SCRIPTED.silence } });
        const error = yield* Effect.flip(Effect.uninterruptible(refresh(setting.app, Redacted.make("r"))));
        assert.strictEqual(error._tag, "ProviderUnavailable");
      }),
    ),
  );

  it.live.each(UNUSABLE)("and %s, at its discovery, is unavailable until it answers", ([, answer, retryAfter]) =>
    overLoopback({ timeout: "300 millis" })(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        setting.provider.behave({ answers: { discovery: answer } });
        const { authorizationUrl } = yield* AuthorizationServer;
        const ask = authorizationUrl(setting.app, { ...REQUEST, loginHint: null });
        assert.deepInclude(yield* Effect.flip(ask), { _tag: "ProviderUnavailable", retryAfter });
        setting.provider.behave({});
        yield* ask;
        // From then on the metadata is kept.
        setting.provider.behave({ answers: { discovery: answer } });
        yield* ask;
      }),
    ),
  );

  it.effect("because its metadata name another issuer, is unavailable", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const body = JSON.stringify({
          issuer: "https://elsewhere.example",
          authorization_endpoint: "https://x.example",
        });
        setting.provider.behave({ answers: { discovery: { _tag: "Answer", status: 200, body } } });
        assert.strictEqual((yield* Effect.flip(grantOf(setting)))._tag, "ProviderUnavailable");
      }),
    ),
  );
});

describe("an address of a provider to which people would be led", () => {
  const BAD = [
    "javascript:alert(1)",
    "data:text/html,x",
    "http://192.0.2.7/authorize",
    "https://id.example/\r\nset-cookie: a=b",
    "https://a:b@id.example/",
    `https://id.example/${"x".repeat(2_048)}`,
  ];
  const answers = (endpoint: "discovery" | "device", body: object) => ({
    answers: { [endpoint]: { _tag: "Answer" as const, status: 200, body: JSON.stringify(body) } },
  });

  it.effect.each(BAD)("is not returned: %s [S11.3-27] [S11.3-29]", (bad) =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const { issuer } = setting.provider;
        const { authorizationUrl, startDevice } = yield* AuthorizationServer;
        const metadata = { issuer, authorization_endpoint: bad, device_authorization_endpoint: `${issuer}/device` };
        setting.provider.behave(answers("discovery", metadata));
        const consent = authorizationUrl(setting.app, { ...REQUEST, loginHint: null });
        assert.strictEqual((yield* Effect.flip(consent))._tag, "ProviderUnavailable");
        for (const named of [{ verification_uri: bad }, { verification_uri_complete: bad }]) {
          const started = {
            device_code: "d",
            user_code: "U",
            verification_uri: "https://id.example/d",
            expires_in: 60,
          };
          setting.provider.behave(answers("device", { ...started, ...named }));
          assert.strictEqual((yield* Effect.flip(startDevice(setting.app)))._tag, "ProviderUnavailable");
        }
      }),
    ),
  );

  it.effect("is returned unchanged, with the times of a device bounded [S11.3-28]", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const started = { device_code: "d", user_code: "U-1", verification_uri: "https://id.example/d" };
        setting.provider.behave(answers("device", { ...started, expires_in: 1e300, interval: 1e9 }));
        const { verificationUrl, expiresIn, interval } = yield* (yield* AuthorizationServer).startDevice(setting.app);
        assert.deepStrictEqual([verificationUrl, expiresIn, interval], ["https://id.example/d", 86_400, 600]);
      }),
    ),
  );
});

describe("an identity token", () => {
  const now = Math.floor(Date.now() / 1000);
  const faults: ReadonlyArray<readonly [string, ProviderBehaviour]> = [
    ["for another client", { claims: { aud: "another" } }],
    ["for several clients", { claims: { aud: ["postern", "another"] } }],
    ["of another issuer", { claims: { iss: "https://elsewhere.example" } }],
    ["that is expired", { claims: { exp: now - 120 } }],
    ["that is not valid yet", { claims: { nbf: now + 600 } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["without a user", { claims: { sub: undefined } }],
    ["with a signature of an unknown key", { isForged: true }],
  ];

  it.effect.each(faults)("%s is refused", ([, behaviour]) =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        setting.provider.behave(behaviour);
        assert.strictEqual((yield* Effect.flip(grantOf(setting)))._tag, "CallbackRejected");
      }),
    ),
  );

  it.live("whose keys cannot be fetched leaves the provider unavailable", () =>
    overLoopback({ timeout: "300 millis" })(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        setting.provider.behave({ answers: { keys: SCRIPTED.silence } });
        assert.strictEqual((yield* Effect.flip(grantOf(setting)))._tag, "ProviderUnavailable");
      }),
    ),
  );

  it.effect("in the answer to a refresh costs no refresh token", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const { tokens } = yield* grantOf(setting);
        const body = {
          access_token: "a",
          token_type: "Bearer",
          expires_in: 60,
          refresh_token: "next",
          id_token: "junk",
        };
        setting.provider.behave({ answers: { token: { _tag: "Answer", status: 200, body: JSON.stringify(body) } } });
        const refreshed = yield* (yield* AuthorizationServer).refresh(setting.app, tokens.refreshToken!);
        assert.strictEqual(Redacted.value(refreshed.refreshToken!), "next");
      }),
    ),
  );
});

describe("the egress guard", () => {
  const guard = scriptedGuard(
    new Map<string, HostAnswer>([
      ["private.example", ["10.0.0.1"]],
      ["public.example", [PUBLIC_ADDRESSES[0]]],
      ["idp.example", ["127.0.0.1"]],
      ["missing.example", "nxdomain"],
    ]),
  );

  it.effect("prevents requests to a private address, and plaintext requests to a public one [S11.1-9]", () =>
    overLoopback(
      {},
      guard,
    )(
      Effect.gen(function* () {
        const { issue } = yield* AuthorizationServer;
        for (const url of ["https://private.example/", "http://public.example/", "https://missing.example/"]) {
          const error = yield* Effect.flip(issue(hookApp(url), AccountId(USER)));
          assert.strictEqual(error._tag, "ProviderUnavailable", url);
        }
      }),
    ),
  );

  it.effect("lets TLS verify the provider's name, and follows no plaintext address in metadata read over TLS", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const site = yield* httpsSite("idp.example");
        const plain = yield* rawServer((socket) => socket.end());
        const issuer = `https://idp.example:${site.port}`;
        site.answer((_, response) =>
          response.writeHead(200, { "content-type": "application/json" }).end(
            JSON.stringify({
              issuer,
              token_endpoint: `http://127.0.0.1:${plain.port}/`,
              accessToken: "t",
              expiresIn: 9,
            }),
          ),
        );
        const { app } = yield* settingOf("oidc", {}, { issuer });
        const ask = Effect.gen(function* () {
          const { issue, refresh } = yield* AuthorizationServer;
          return {
            hook: yield* Effect.result(issue(hookApp(`${issuer}/token`), AccountId(USER))),
            refresh: yield* Effect.result(refresh(app, Redacted.make("r"))),
          };
        });
        const trusted = yield* overLoopback({ tlsOptions: { ca: site.ca } }, guard)(ask);
        assert.strictEqual(trusted.hook._tag, "Success");
        assert.strictEqual(trusted.refresh._tag, "Failure");
        assert.strictEqual(plain.connections(), 0);
        const untrusted = yield* overLoopback({}, guard)(ask);
        assert.strictEqual(untrusted.hook._tag, "Failure");
      }),
    ),
  );
});

describe("the token service", () => {
  it.effect.each([
    ["a page", "200 OK", "text/html", "<html>"],
    ["no token", "200 OK", "application/json", "{}"],
    ["a token that is expired", "200 OK", "application/json", '{"accessToken":"t","expiresIn":0}'],
    ["an error without a code", "403 Forbidden", "application/json", "{}"],
    ["a failure of its own", "500 Internal Server Error", "application/json", '{"error":"invalid_grant"}'],
  ])("that answers with %s is unavailable", ([, status, type, body]) =>
    overLoopback()(
      Effect.gen(function* () {
        const { port } = yield* rawServer((socket) =>
          socket.once("data", () =>
            socket.end(`HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n${body}`),
          ),
        );
        const ask = (yield* AuthorizationServer).issue(hookApp(`http://127.0.0.1:${port}/`), AccountId(USER));
        assert.strictEqual((yield* Effect.flip(ask))._tag, "ProviderUnavailable");
      }),
    ),
  );
});

it.effect("one log line says that a provider fails, and no line contains a secret", () =>
  Effect.gen(function* () {
    const lines: Array<string> = [];
    const collected = Logger.layer([Logger.make(({ message }) => void lines.push(JSON.stringify(message)))]);
    const secrets = yield* overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("oidc");
        const { tokens } = yield* grantOf(setting);
        const { refresh } = yield* AuthorizationServer;
        const body = JSON.stringify({ error: "odd", error_description: setting.provider.secrets().join(" ") });
        setting.provider.behave({ answers: { token: { _tag: "Answer", status: 400, body } } });
        for (let n = 0; n < 3; n++) {
          const error = yield* Effect.flip(refresh(setting.app, tokens.refreshToken!));
          lines.push(JSON.stringify(error));
        }
        return setting.provider.secrets();
      }),
    ).pipe(Effect.provide(Layer.mergeAll(collected)));
    assert.lengthOf(
      lines.filter((line) => line.includes("no usable answer")),
      1,
    );
    assert.isAbove(secrets.length, 3);
    for (const secret of secrets) assert.isFalse(lines.some((line) => line.includes(secret)));
  }),
);
