import { assert, it } from "@effect/vitest";
import { type Harness, HARNESS_ADMIN_KEY, HARNESS_URL, harness } from "@postern/harness";
import { Effect } from "effect";
import { describe } from "vitest";
import { call } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";

const DONE = "https://app.example/done";

const connect = (world: Harness, json: object) =>
  call(world, "POST", "/api/accounts/connect", { token: HARNESS_ADMIN_KEY, json: { redirectUrl: DONE, ...json } });

/** Opens a page as a browser does. */
const open = Effect.fnUntraced(function* (world: Harness, url: string, form?: Record<string, string>) {
  const init = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const response = yield* world.request(new Request(new URL(url, HARNESS_URL), init));
  return { response, text: yield* Effect.promise(() => response.text()) };
});

describe("a connect page", () => {
  it.effect(
    "asks for the address, then for a password, and leads back with the account [S10.3-5] [S10.3-24] [S11.3-3] [S11.3-7]",
    () =>
      Effect.gen(function* () {
        const world = yield* harness;
        const { body } = yield* connect(world, { state: "42" });
        const url = body.data.url as string;
        assert.notInclude(url, "app.example");
        const asked = yield* open(world, url);
        assert.include(asked.text, 'type="email"');
        assert.notInclude(asked.text, "<script");
        assert.match(asked.response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
        const chosen = yield* open(world, url, { email: "demo@postern.test" });
        assert.include(chosen.text, 'type="password"');
        const done = yield* open(world, url, { email: "demo@postern.test", password: "demo" });
        assert.strictEqual(done.response.status, 303);
        const to = new URL(done.response.headers.get("location")!);
        assert.match(to.searchParams.get("account") ?? "", /^acc_/);
        assert.strictEqual(to.searchParams.get("state"), "42");
        assert.strictEqual((yield* open(world, url)).response.status, 410);
      }).pipe(Effect.scoped),
  );

  it.effect("escapes an address that is HTML", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { body } = yield* connect(world, {});
      const { text } = yield* open(world, body.data.url, { email: "\"><img src=x>'@postern.test" });
      assert.notInclude(text, "<img");
    }).pipe(Effect.scoped),
  );

  it.effect("ends after ten minutes, and is unknown with another secret [S11.3-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { body } = yield* connect(world, {});
      assert.strictEqual((yield* open(world, "/connect/guessed")).response.status, 410);
      yield* world.pass("10 minutes");
      const { response, text } = yield* open(world, body.data.url);
      assert.strictEqual(response.status, 410);
      assert.include(text, "ask for a new one");
    }).pipe(Effect.scoped),
  );

  it.effect("ends with the service key that asked for it [S11.3-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { id, key } = yield* makeKey(world);
      const { body } = yield* asKey(world, key, "POST", "/api/accounts/connect", { json: { redirectUrl: DONE } });
      assert.strictEqual((yield* open(world, body.data.url)).response.status, 200);
      yield* asAdmin(world, "DELETE", `/api/keys/${id}`);
      assert.strictEqual((yield* open(world, body.data.url)).response.status, 410);
    }).pipe(Effect.scoped),
  );

  it.effect.each(["javascript:alert(1)", "http://app.example/", "//app.example", "https://a:b@app.example/"])(
    "never leads to %s [S10.3-24] [S11.3-2]",
    (redirectUrl) =>
      Effect.gen(function* () {
        const { status, body } = yield* connect(yield* harness, { redirectUrl });
        assert.deepStrictEqual([status, body.errors[0].field], [400, "redirectUrl"]);
      }).pipe(Effect.scoped),
  );

  it.effect("refuses a callback that no consent of this browser waits for", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      for (const cookie of [undefined, "consent=guessed"]) {
        const request = new Request(new URL("/oauth/callback?code=c&state=s", HARNESS_URL), {
          headers: cookie === undefined ? {} : { cookie },
        });
        assert.strictEqual((yield* world.request(request)).status, 410);
      }
    }).pipe(Effect.scoped),
  );
});
