import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { describe } from "vitest";
import {
  askTokens,
  assistantWorld,
  CALLBACK,
  CLIENT,
  consent,
  documentOf,
  newRequest,
  openPage,
  redeem,
  signInOnPage,
} from "./assistant-world.ts";

const OTHER = "https://other.example/client.json";

describe("attacks on the sign-in of assistants", () => {
  it.effect("redirects only to the client's own addresses [S13.3-8]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const tricks = [
        "https://evil.example/cb",
        `${CALLBACK}/x`,
        `${CALLBACK}?x=1`,
        `${CALLBACK}#x`,
        "http://x@127.0.0.1:4567/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1:4567@evil.example/callback",
        "http://127.0.0.1:4567\\@evil.example/callback",
        "http://127.1:4567/callback",
        "http://0x7f000001/callback",
        "http://localhost/callback",
        "https://127.0.0.1/callback",
        "HTTP://127.0.0.1/callback",
        "http://127.0.0.1:4567/%63allback",
        "http://127.0.0.1:4567/x/../callback",
        " http://127.0.0.1/callback",
        "http://127.0.0.1/callback\n",
        "https://app.example/cb",
        "https://app.example/cb?tenant=2",
        "https://app.example:8443/cb?tenant=1",
        "https://app.example/cb?tenant=1&x=1",
        "javascript:alert(1)",
        undefined,
      ];
      for (const redirect_uri of tricks) {
        const { path } = newRequest({ redirect_uri });
        for (const form of [undefined, { decline: "yes" }, { level: "draft" }]) {
          const { status, to } = yield* openPage(world, path, form);
          assert.deepStrictEqual([status, to], [400, undefined], String(redirect_uri));
        }
      }
      const twice = `${newRequest().path}&redirect_uri=https%3A%2F%2Fevil.example`;
      assert.strictEqual((yield* openPage(world, twice)).status, 400);
      const other = yield* openPage(world, newRequest({ redirect_uri: "http://127.0.0.1:1/callback" }).path);
      assert.strictEqual(other.status, 200);
    }).pipe(Effect.scoped),
  );

  it.effect("answers with its issuer and the state, against mix-up [S13.3-9]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const issuer = "http://127.0.0.1:3000";
      const given = yield* consent(world, { redirect_uri: "https://app.example/cb?tenant=1" });
      const declined = yield* openPage(world, newRequest().path, { decline: "yes" });
      const wrong = yield* openPage(world, newRequest({ code_challenge_method: "plain" }).path);
      for (const answer of [given.to!.searchParams, declined.answer!, wrong.answer!]) {
        assert.deepStrictEqual([answer.get("iss"), answer.get("state")], [issuer, "state-1"]);
      }
      assert.strictEqual(given.to!.searchParams.get("tenant"), "1");
      assert.strictEqual(declined.answer!.get("error"), "access_denied");
      assert.include(wrong.to!.href, CALLBACK);
    }).pipe(Effect.scoped),
  );

  it.effect("takes no request without an S256 challenge, or for another resource [S13.3-10]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      for (const [more, error] of [
        [{ code_challenge: undefined }, "invalid_request"],
        [{ code_challenge: "x".repeat(42) }, "invalid_request"],
        [{ code_challenge_method: undefined }, "invalid_request"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ resource: "https://other.example/mcp" }, "invalid_target"],
        [{ resource: "http://127.0.0.1:3000/api" }, "invalid_target"],
        [{ scope: "accounts:write" }, "invalid_scope"],
      ] as const) {
        const { answer } = yield* openPage(world, newRequest(more).path, { level: "draft" });
        assert.strictEqual(answer!.get("error"), error, JSON.stringify(more));
        assert.isNull(answer!.get("code"));
      }
    }).pipe(Effect.scoped),
  );

  it.effect("exchanges a code once, in 60 seconds, for the request that it was given to [S13.3-11]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      world.documents.set(OTHER, documentOf(OTHER));
      for (const [more, error] of [
        [{ code_verifier: "x".repeat(43) }, "invalid_grant"],
        [{ code_verifier: undefined }, "invalid_request"],
        [{ redirect_uri: "http://127.0.0.1:1/callback" }, "invalid_grant"],
        [{ redirect_uri: undefined }, "invalid_request"],
        [{ client_id: OTHER }, "invalid_grant"],
        [{ client_id: undefined }, "invalid_request"],
        [{ resource: "https://other.example/mcp" }, "invalid_target"],
        [{ grant_type: "password" }, "unsupported_grant_type"],
      ] as const) {
        const { status, json } = yield* redeem(world, yield* consent(world), more);
        assert.deepStrictEqual([status, json["error"]], [400, error], JSON.stringify(more));
      }
      const consented = yield* consent(world);
      assert.strictEqual((yield* redeem(world, consented)).status, 200);
      assert.strictEqual((yield* redeem(world, consented)).json["error"], "invalid_grant");
      const late = yield* consent(world);
      yield* world.pass("60 seconds");
      assert.strictEqual((yield* redeem(world, late)).json["error"], "invalid_grant");
      const twice = yield* askTokens(world, { grant_type: "authorization_code", code: "x" });
      assert.strictEqual(twice.status, 400);
    }).pipe(Effect.scoped),
  );

  it.effect("takes no form of another site, and no consent of another browser [S13.3-12]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { path } = newRequest();
      const cookie = yield* signInOnPage(world, path);
      for (const from of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}]) {
        const headers: Record<string, string> = { ...from, cookie };
        const consented = yield* openPage(world, path, { level: "draft" }, headers);
        assert.deepStrictEqual([consented.status, consented.to], [403, undefined]);
        const signedIn = yield* openPage(world, path, { email: "demo@postern.test", password: "demo" }, {
          ...from,
        } as never);
        assert.deepStrictEqual([signedIn.status, signedIn.headers.get("set-cookie")], [403, null]);
      }
      const stranger = yield* openPage(world, path, { level: "draft" });
      assert.isUndefined(stranger.to);
      assert.include(stranger.text, 'type="password"');
    }).pipe(Effect.scoped),
  );

  it.effect("accepts only the document at the client's own https address [S13.3-13]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const documents: ReadonlyArray<readonly [string, string]> = [
        [OTHER, documentOf(CLIENT)],
        ["https://plain.example/c", "no JSON"],
        [
          "https://secret.example/c",
          documentOf("https://secret.example/c", { token_endpoint_auth_method: "client_secret_post" }),
        ],
        [
          "https://none.example/c",
          documentOf("https://none.example/c", { redirect_uris: ["javascript:alert(1)", "http://evil.example/"] }),
        ],
        ["https://implicit.example/c", documentOf("https://implicit.example/c", { response_types: ["token"] })],
      ];
      for (const [url, text] of documents) world.documents.set(url, text);
      for (const id of [
        "http://assistant.example/client.json",
        "https://assistant.example",
        "https://assistant.example/",
        "https://assistant.example/x/../client.json",
        "https://assistant.example/%2e%2e/client.json",
        `${CLIENT}#x`,
        `${CLIENT}?x`,
        "https://user@assistant.example/client.json",
        "https://ASSISTANT.example/client.json",
        "helper",
        ...documents.map(([url]) => url),
      ]) {
        // What is not such an address is never read.
        if (!documents.some(([url]) => url === id)) world.documents.set(id, documentOf(id));
        const { status, to } = yield* openPage(world, newRequest({ client_id: id }).path, { decline: "yes" });
        assert.deepStrictEqual([status, to], [400, undefined], id);
      }
    }).pipe(Effect.scoped),
  );
});
