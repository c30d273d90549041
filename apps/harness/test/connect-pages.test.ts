import { assert, it } from "@effect/vitest";
import { type Harness, HARNESS_ADMIN_KEY, HARNESS_URL, harness } from "@postern/harness";
import { Effect, Fiber } from "effect";
import { describe } from "vitest";
import { call } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";

const DONE = "https://app.example/done";

const connect = (world: Harness, json: object) =>
  call(world, "POST", "/api/accounts/connect", { token: HARNESS_ADMIN_KEY, json: { redirectUrl: DONE, ...json } });

/** Opens a page as a browser does. */
const open = Effect.fnUntraced(function* (
  world: Harness,
  url: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const init = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const response = yield* world.request(new Request(new URL(url, HARNESS_URL), { ...init, headers }));
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

  it.effect("names the application, its purpose, the expiry and the operator [S11.3-30]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { key } = yield* makeKey(world, {
        application: "Harbour <CRM>",
        scopes: ["accounts:write", "mail:read", "events"],
      });
      const { body } = yield* asKey(world, key, "POST", "/api/accounts/connect", {
        json: { redirectUrl: DONE, email: "demo@postern.test" },
      });
      const { text } = yield* open(world, body.data.url);
      assert.include(text, "Harbour &lt;CRM&gt; asks to use your mailbox");
      assert.include(text, "read your messages");
      assert.include(text, "be told of new messages");
      assert.notInclude(text, "send messages");
      assert.include(text, "until it is ended");
      assert.include(text, "operated by Example Operations");
      const byOperator = yield* connect(world, {});
      assert.include((yield* open(world, byOperator.body.data.url)).text, "app.example asks to use your mailbox");
    }).pipe(Effect.scoped),
  );

  it.effect("shows the application by the operator's profile, not by the texts of a request [S10.2-34]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { key } = yield* makeKey(world, { application: "crm" });
      const { body } = yield* asKey(world, key, "POST", "/api/accounts/connect", { json: { redirectUrl: DONE } });
      assert.notInclude((yield* open(world, body.data.url)).text, "<img");
      const logo = Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64");
      yield* asAdmin(world, "PATCH", "/api/applications/crm", {
        displayName: "Harbour & <Sons>",
        purpose: "Keeps the book.",
        colour: "#0a5c36",
        logo,
      });
      const { text, response } = yield* open(world, body.data.url);
      assert.include(text, "Harbour &amp; &lt;Sons&gt; asks to use your mailbox");
      assert.include(text, "Keeps the book.");
      assert.include(text, "--accent:#0a5c36");
      assert.include(text, `src="data:image/png;base64,${logo}"`);
      assert.match(response.headers.get("content-security-policy") ?? "", /img-src data:/);
      const named = yield* asKey(world, key, "POST", "/api/accounts/connect", {
        json: { redirectUrl: DONE, displayName: "Your Bank", name: "Your Bank" },
      });
      if (named.status === 200) assert.notInclude((yield* open(world, named.body.data.url)).text, "Your Bank");
    }).pipe(Effect.scoped),
  );

  it.effect("can be refused, which leads back and ends the link [S11.3-32]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { body } = yield* connect(world, { state: "42" });
      assert.include((yield* open(world, body.data.url)).text, 'name="decline"');
      const { response } = yield* open(world, body.data.url, { decline: "yes" });
      assert.deepStrictEqual(
        [response.status, response.headers.get("location")],
        [303, `${DONE}?error=access_denied&state=42`],
      );
      assert.strictEqual((yield* open(world, body.data.url)).response.status, 410);
    }).pipe(Effect.scoped),
  );

  it.effect("tells faults on the form, and keeps the address but no password [S11.3-33] [S11.3-34]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { body } = yield* connect(world, {});
      const told = Effect.fnUntraced(function* (form: Record<string, string>) {
        const asked = yield* Effect.forkChild(open(world, body.data.url, form));
        yield* world.pass("10 seconds");
        const { response, text } = yield* Fiber.join(asked);
        const [, fault = ""] = /id="fault"[^>]*>([^<]*)</.exec(text) ?? [];
        const [, field = ""] = /type="(email|password)"/.exec(text) ?? [];
        return { status: response.status, fault, field, text };
      });
      const malformed = yield* told({ email: "not an address" });
      assert.deepInclude(malformed, { status: 400, field: "email" });
      assert.include(malformed.fault, "no e-mail address");
      assert.include(malformed.text, 'value="not an address"');
      const wrong = yield* told({ email: "demo@postern.test", password: "guessed wrong" });
      assert.deepInclude(wrong, { status: 403, field: "password" });
      assert.include(wrong.fault, "did not accept");
      assert.include(wrong.text, "demo@postern.test");
      assert.notInclude(wrong.text, "guessed wrong");
      const right = yield* open(world, body.data.url, { email: "demo@postern.test", password: "demo" });
      assert.strictEqual(right.response.status, 303);
    }).pipe(Effect.scoped),
  );

  it.effect.each<[string | undefined, string, string]>([
    [undefined, "en", "ltr"],
    ["es, it;q=0.9", "en", "ltr"],
    ["de-AT, en;q=0.8", "de", "ltr"],
    ["en;q=0.4, fr-CA;q=0.6", "fr", "ltr"],
    ["ar", "ar", "rtl"],
  ])("is for %s in %s, %s [S11.3-35]", ([accepted, lang, dir]) =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { body } = yield* connect(world, {});
      const headers: Record<string, string> = accepted === undefined ? {} : { "accept-language": accepted };
      const { text } = yield* open(world, body.data.url, undefined, headers);
      assert.include(text, `<html lang="${lang}" dir="${dir}">`);
    }).pipe(Effect.scoped),
  );

  it.effect.each<[string, string, string]>([
    ["en", "ltr", "This link can no longer be used"],
    ["de", "ltr", "Dieser Link kann nicht mehr verwendet werden"],
    ["fr", "ltr", "Ce lien ne peut plus être utilisé"],
    ["ar", "rtl", "لم يعد من الممكن استخدام هذا الرابط"],
  ])("tells failures in %s, %s: %s", ([lang, dir, title]) =>
    Effect.gen(function* () {
      const world = yield* harness;
      const headers = { "accept-language": lang };
      const { response, text } = yield* open(world, "/connect/guessed", undefined, headers);
      assert.strictEqual(response.status, 410);
      assert.include(text, `<html lang="${lang}" dir="${dir}">`);
      assert.include(text, `<h1>${title}</h1>`);
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
