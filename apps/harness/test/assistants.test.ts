import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { describe } from "vitest";
import {
  assistantWorld,
  CLIENT,
  consent,
  documentOf,
  listTools,
  newRequest,
  openPage,
  redeem,
  renew,
  RESOURCE,
  signInOnPage,
} from "./assistant-world.ts";
import { call, signIn } from "./call.ts";
import { asAdmin } from "./key-world.ts";

describe("sign-in of assistants", () => {
  it.effect("publishes its addresses and its abilities [S13.3-1]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { body: resource } = yield* call(world, "GET", "/.well-known/oauth-protected-resource/mcp");
      assert.strictEqual(resource.resource, RESOURCE);
      const { body } = yield* call(world, "GET", "/.well-known/oauth-authorization-server");
      assert.deepStrictEqual(resource.authorization_servers, [body.issuer]);
      assert.deepStrictEqual(body.code_challenge_methods_supported, ["S256"]);
      assert.isTrue(body.client_id_metadata_document_supported);
      assert.isTrue(body.authorization_response_iss_parameter_supported);
      assert.notProperty(body, "registration_endpoint");
      const refused = yield* call(world, "POST", "/oauth/register", {
        json: { redirect_uris: ["https://a.example/"] },
      });
      assert.strictEqual(refused.status, 403);
    }).pipe(Effect.scoped),
  );

  it.effect("asks for the mailbox, then for what the assistant may do, in pages that cannot be framed [S13.3-2]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { path } = newRequest();
      const first = yield* openPage(world, path);
      assert.include(first.text, "assistant.example asks to use your mailbox");
      assert.include(first.text, 'type="password"');
      const wrong = yield* openPage(world, path, { email: "demo@postern.test", password: "no" });
      assert.isUndefined(wrong.headers.get("set-cookie") ?? undefined);
      assert.include(wrong.text, 'role="alert"');
      const cookie = yield* signInOnPage(world, path);
      const second = yield* openPage(world, path, undefined, { cookie });
      assert.include(second.text, "demo@postern.test");
      assert.match(second.text, /value="draft"\s+checked/);
      assert.strictEqual(second.text.match(/\schecked/g)?.length, 1);
      assert.include(second.text, "a program on this computer");
      for (const page of [first, wrong, second]) {
        assert.notMatch(page.text, /<script|<b>bank/);
        assert.include(page.text, "&lt;b&gt;bank");
        assert.include(page.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'");
        assert.strictEqual(page.headers.get("cache-control"), "no-store");
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer");
      }
    }).pipe(Effect.scoped),
  );

  it.effect.each<[string, string, ReadonlyArray<string>]>([
    [
      "en",
      "ltr",
      [
        "asks to use your mailbox",
        "Sign in to the mailbox first",
        "Check the address and the password",
        "also write drafts",
      ],
    ],
    ["de-AT", "ltr", ["möchte Ihr Postfach nutzen", "Melden Sie sich zuerst", "Prüfen Sie", "auch Entwürfe schreiben"]],
    [
      "fr",
      "ltr",
      ["demande à utiliser votre boîte", "Connectez-vous d’abord", "Vérifiez", "aussi écrire des brouillons"],
    ],
    ["ar", "rtl", ["استخدام صندوق بريدك", "سجِّل الدخول إلى صندوق البريد أولًا", "تحقق من العنوان", "يكتب أيضًا مسودات"]],
  ])("asks in %s, %s [S15.9-5]", ([lang, dir, [asks, signIn, refused, drafts]]) =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { path } = newRequest();
      const headers = { "accept-language": lang, "sec-fetch-site": "same-origin" };
      const first = yield* openPage(world, path, undefined, headers);
      assert.include(first.text, `<html lang="${lang.slice(0, 2)}" dir="${dir}">`);
      assert.include(first.text, asks!);
      assert.include(first.text, signIn!);
      const wrong = yield* openPage(world, path, { email: "demo@postern.test", password: "no" }, headers);
      assert.include(wrong.text, refused!);
      const cookie = yield* signInOnPage(world, path);
      const second = yield* openPage(world, path, undefined, { ...headers, cookie });
      assert.include(second.text, drafts!);
      if (lang !== "en") assert.notMatch(second.text, /\b(?:your|mailbox|access|Allow|drafts|Sending)\b/);
      const other = yield* openPage(world, `${path}&scope=mail:read`, undefined, headers);
      assert.include(other.text, `<html lang="${lang.slice(0, 2)}" dir="${dir}">`);
    }).pipe(Effect.scoped),
  );

  it.effect.each([
    ["en", "client_id is unknown", "its document could not be read (HTTP 404)"],
    ["de", "client_id ist unbekannt", "sein Dokument war nicht zu lesen (HTTP 404)"],
    ["fr", "client_id est inconnu", "son document n’a pas pu être lu (HTTP 404)"],
    ["ar", "client_id غير معروف", "تعذّرت قراءة وثيقته (HTTP 404)"],
  ] as const)("says in %s why it does not know an assistant [S15.9-5]", ([lang, unknown, unread]) =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const headers = { "accept-language": lang };
      for (const [client_id, reason] of [
        ["helper", unknown],
        ["https://nowhere.example/client.json", unread],
      ] as const) {
        const { status, text } = yield* openPage(world, newRequest({ client_id }).path, undefined, headers);
        assert.strictEqual(status, 400);
        assert.include(text, `: ${reason}.`);
      }
    }).pipe(Effect.scoped),
  );

  it.effect("preselects reading if the assistant asks for no more, and gives what the person chooses [S13.3-3]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { path } = newRequest({ scope: "mail:read events accounts:write" });
      const cookie = yield* signInOnPage(world, path);
      assert.match((yield* openPage(world, path, undefined, { cookie })).text, /value="read"\s+checked/);
      for (const [level, scope] of [
        ["read", "mail:read"],
        ["draft", "mail:read mail:draft"],
        ["organize", "mail:read mail:draft mail:organize"],
      ] as const) {
        const { status, json } = yield* redeem(world, yield* consent(world, {}, level));
        assert.deepStrictEqual([status, json["scope"]], [200, scope]);
      }
      const odd = yield* consent(world, {}, "__proto__");
      assert.isUndefined(odd.code);
    }).pipe(Effect.scoped),
  );

  it.effect("opens /mcp with the tools of the grant, and nothing of the API [S13.3-4]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { json } = yield* redeem(world, yield* consent(world, {}, "read"));
      assert.strictEqual(json["token_type"], "Bearer");
      assert.strictEqual(Number(json["expires_in"]), 3600);
      const { status, names } = yield* listTools(world, json["access_token"]);
      assert.strictEqual(status, 200);
      assert.include(names!, "read_message");
      assert.notInclude(names!, "organize");
      assert.strictEqual((yield* listTools(world, json["refresh_token"])).status, 401);
      for (const path of ["/api/inbox", "/api/grants", "/api/keys", "/api/auth/sessions"]) {
        const { status } = yield* call(world, "GET", path, { token: json["access_token"]! });
        assert.strictEqual(status, 401, path);
      }
      for (let n = 0; n < 20; n++) yield* listTools(world, "pgt_made_up");
      assert.strictEqual((yield* listTools(world, "pgt_made_up")).status, 401);
      yield* world.pass("1 hour");
      assert.strictEqual((yield* listTools(world, json["access_token"])).status, 401);
    }).pipe(Effect.scoped),
  );

  it.effect("rotates refresh tokens, and ends the grant when a replaced one comes back [S13.3-5]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { json: first } = yield* redeem(world, yield* consent(world));
      const widened = yield* renew(world, first["refresh_token"], { scope: "mail:read mail:organize" });
      assert.strictEqual(widened.json["error"], "invalid_scope");
      const { json: second } = yield* renew(world, first["refresh_token"], { scope: "mail:read" });
      assert.strictEqual((yield* listTools(world, first["access_token"])).status, 401);
      assert.strictEqual((yield* listTools(world, second["access_token"])).status, 200);
      // A guess that knows the grant's id, and another client, end nothing.
      const [, id] = /^pgr_(.{16})/.exec(first["refresh_token"]!)!;
      yield* renew(world, `pgr_${id}_${"x".repeat(22)}_${"x".repeat(43)}`);
      yield* renew(world, second["refresh_token"], { client_id: "https://other.example/client.json" });
      assert.strictEqual((yield* listTools(world, second["access_token"])).status, 200);
      const reused = yield* renew(world, first["refresh_token"]);
      assert.deepStrictEqual([reused.status, reused.json["error"]], [400, "invalid_grant"]);
      assert.strictEqual((yield* listTools(world, second["access_token"])).status, 401);
      assert.strictEqual((yield* renew(world, second["refresh_token"])).json["error"], "invalid_grant");
    }).pipe(Effect.scoped),
  );

  it.effect("sends to the people that the person names, and asks for all others [S13.3-18]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { token } = (yield* signIn(world)).body;
      const { path } = newRequest();
      const cookie = yield* signInOnPage(world, path);
      const headers = { "sec-fetch-site": "same-origin", cookie };
      const wrong = yield* openPage(world, path, { level: "draft", send: "yes", to: "no address" }, headers);
      assert.deepStrictEqual([wrong.status, wrong.to], [400, undefined]);
      const policies = [
        [
          { send: "yes", to: "ann@example.org\n@example.com" },
          { to: ["ann@example.org", "@example.com"], approval: "outside" },
        ],
        [
          { send: "yes", to: "" },
          { to: [], approval: "always" },
        ],
        [{ to: "ann@example.org" }, { to: [], approval: "always" }],
      ] as const;
      for (const [form, policy] of policies) {
        const request = newRequest();
        const { answer } = yield* openPage(world, request.path, { level: "draft", ...form }, headers);
        const { json } = yield* redeem(world, { ...request, cookie, to: undefined, code: answer!.get("code")! });
        assert.strictEqual(json["scope"]!.includes("mail:send"), "send" in form);
        assert.include((yield* listTools(world, json["access_token"])).names!, "send_draft");
        const [grant] = (yield* call(world, "GET", "/api/grants", { token })).body.data;
        assert.deepStrictEqual(grant.sendPolicy, policy);
        const sendPolicy = { to: ["@other.example"], perDay: 2, approval: "never" };
        const changed = yield* call(world, "PATCH", `/api/grants/${grant.id}`, { token, json: { sendPolicy } });
        assert.deepStrictEqual(changed.body.data.sendPolicy, sendPolicy);
        yield* call(world, "DELETE", `/api/grants/${grant.id}`, { token });
      }
    }).pipe(Effect.scoped),
  );

  it.effect("lists, renames and ends the grants of the own mailbox [S13.3-14] [S13.3-15]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { json } = yield* redeem(world, yield* consent(world));
      const { token } = (yield* signIn(world)).body;
      const listed = (yield* call(world, "GET", "/api/grants", { token })).body.data;
      assert.deepInclude(listed[0], { name: "Helpful <b>bank</b>", scopes: ["mail:read", "mail:draft"] });
      assert.strictEqual(listed[0].client.host, "assistant.example");
      const { id, version } = listed[0];
      const stale = { token, json: { name: "x" }, headers: { "if-match": "old" } };
      assert.strictEqual((yield* call(world, "PATCH", `/api/grants/${id}`, stale)).body.code, "grant_changed");
      const rename = { token, json: { name: "Mine" }, headers: { "if-match": version } };
      assert.strictEqual((yield* call(world, "PATCH", `/api/grants/${id}`, rename)).body.data.name, "Mine");
      const { token: other } = (yield* signIn(world, "demo", "friend@postern.test")).body;
      for (const [method, extra] of [["PATCH", { json: { name: "x" } }] as const, ["DELETE", {}] as const]) {
        const { body } = yield* call(world, method, `/api/grants/${id}`, { token: other, ...extra });
        assert.strictEqual(body.code, "grant_not_found");
      }
      assert.strictEqual((yield* call(world, "DELETE", `/api/grants/${id}`, { token })).status, 200);
      const { data } = (yield* call(world, "GET", "/api/audit", { token })).body;
      const ofGrant = (data as ReadonlyArray<{ readonly operation: string; readonly target: string }>).filter(
        ({ target }) => target === id,
      );
      assert.sameMembers(
        ofGrant.map(({ operation }) => operation),
        ["grants.change", "grants.remove"],
      );
      assert.strictEqual((yield* listTools(world, json["access_token"])).status, 401);
      assert.strictEqual((yield* renew(world, json["refresh_token"])).json["error"], "invalid_grant");
      assert.deepStrictEqual((yield* call(world, "GET", "/api/grants", { token })).body.data, []);
    }).pipe(Effect.scoped),
  );

  it.effect("keeps the mail credential while a grant lasts, and 30 days without use end it [S13.3-16]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const consented = yield* consent(world);
      const { json } = yield* redeem(world, consented);
      yield* call(world, "POST", "/api/auth/logout", {
        cookie: consented.cookie,
        headers: { "sec-fetch-site": "same-origin" },
      });
      assert.strictEqual((yield* listTools(world, json["access_token"])).status, 200);
      yield* world.pass("30 days");
      yield* world.sweep;
      assert.strictEqual((yield* renew(world, json["refresh_token"])).json["error"], "invalid_grant");
    }).pipe(Effect.scoped),
  );

  it.effect("takes clients that the operator made known, and lists and deletes them [S13.3-6]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const redirectUris = ["https://desk.example/cb"];
      for (const uri of ["http://desk.example/", "https://desk.example:99999/", "http://127.0.0.1:65536/"]) {
        const bad = yield* asAdmin(world, "POST", "/api/oauth/clients", { name: "Desk", redirectUris: [uri] });
        assert.strictEqual(bad.body.errors[0].field, "redirectUris.0");
      }
      const { id } = (yield* asAdmin(world, "POST", "/api/oauth/clients", { name: "Desk", redirectUris })).body.data;
      const own = { client_id: id, redirect_uri: redirectUris[0]! };
      assert.include((yield* openPage(world, newRequest(own).path)).text, "Desk asks to use your mailbox");
      const consented = yield* consent(world, own);
      assert.strictEqual((yield* redeem(world, consented, { client_id: id })).status, 200);
      assert.strictEqual((yield* asAdmin(world, "GET", "/api/oauth/clients")).body.data[0].id, id);
      yield* asAdmin(world, "DELETE", `/api/oauth/clients/${id}`);
      assert.strictEqual((yield* openPage(world, newRequest(own).path)).status, 400);
      assert.strictEqual(
        (yield* asAdmin(world, "DELETE", `/api/oauth/clients/${id}`)).body.code,
        "oauth_client_not_found",
      );
    }).pipe(Effect.scoped),
  );

  it.effect("reads a document once in 15 minutes, and a missing one once in 30 seconds [S13.3-7]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { path } = newRequest();
      world.documents.delete(CLIENT);
      assert.strictEqual((yield* openPage(world, path)).status, 400);
      world.documents.set(CLIENT, documentOf(CLIENT));
      assert.strictEqual((yield* openPage(world, path)).status, 400);
      yield* world.pass("30 seconds");
      assert.strictEqual((yield* openPage(world, path)).status, 200);
      world.documents.delete(CLIENT);
      assert.strictEqual((yield* openPage(world, path)).status, 200);
      yield* world.pass("15 minutes");
      assert.strictEqual((yield* openPage(world, path)).status, 400);
    }).pipe(Effect.scoped),
  );
});
