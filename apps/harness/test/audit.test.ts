import { it } from "@effect/vitest";
import { PosternApi } from "@postern/api";
import { auditFields } from "@postern/core/rules";
import { harness, type Harness, HARNESS_START } from "@postern/harness";
import { Effect } from "effect";
import { HttpApi } from "effect/http-api";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { asAdmin, asKey, DEMO, makeKey } from "./key-world.ts";

const AUDITED_OPERATIONS = auditFields.operation.literals.filter((operation) => !operation.startsWith("mcp."));

/** Recorded of agents alone (agent-audit.test.ts). */
const OF_AGENTS = [
  "blocks.add",
  "blocks.remove",
  "contacts.remove",
  "drafts.save",
  "folderSettings.change",
  "folderSettings.create",
  "messages.change",
];
const OTHER = "friend@postern.test";
const MAIL = { to: "x@postern.test", subject: "Figures", text: "The figures." };
const LATER = { ...MAIL, sendAt: new Date(HARNESS_START + 86_400_000).toISOString() };

/** Operations other than GET that leave no entry, and why. */
const UNRECORDED: Readonly<Record<string, string>> = {
  "answers.invitation": "recorded as send.send, whose mail it is",
  "account.change": "recorded as accounts.change",
  "account.remove": "recorded as accounts.remove",
  "accounts.connect": "changes nothing: the account is recorded once it is connected",
  "accounts.discover": "changes nothing",
  "messages.wait": "reads",
  "accounts.endTrace": "deletes a log that it does not show",
  "accounts.startDevice": "changes nothing: the account is recorded once it is connected",
  "accounts.verify": "changes states alone",
  "auth.endSession": "sessions have a list of their own",
  "auth.login": "sessions have a list of their own",
  "auth.logout": "sessions have a list of their own",
  "auth.mobileLogin": "sessions have a list of their own",
  "auth.refresh": "sessions have a list of their own",
  "uploads.upload": "neither sends nor deletes",
  "webhooks.replay": "repeats deliveries, which have a list of their own",
  "webhooks.resend": "repeats deliveries, which have a list of their own",
  "webhooks.test": "sends a sample",
};

/** Recorded by send.send, and by drafts.send, where a person must approve. */
const ASKED = "approvals.request";

const entries = Effect.fnUntraced(function* (world: Harness, query = "") {
  const { status, body } = yield* asAdmin(world, "GET", `/api/audit${query}`);
  expect([status, body.ok]).toEqual([200, true]);
  return body.data as ReadonlyArray<Record<string, unknown>>;
});

it("every operation but GET is recorded, or its reason is listed [S8.7-1]", () => {
  const writing = new Set<string>();
  HttpApi.reflect(PosternApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (endpoint.method !== "GET") writing.add(`${group.identifier}.${endpoint.identifier}`);
    },
  });
  expect([...AUDITED_OPERATIONS, ...Object.keys(UNRECORDED)].toSorted()).toEqual([...writing, ASKED].toSorted());
});

describe("the audit", () => {
  it.live("has each change and sending of a key, with the account and what was changed [S8.7-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { id: key, key: text } = yield* makeKey(world, { application: "crm" });
      const { id: doomed } = yield* makeKey(world, { application: "doomed" });
      yield* makeKey(world, { application: "doomed" });
      const expected: Array<unknown> = [];
      const at = (operation: string, target: unknown, account: string | null, by: string | null = key) =>
        expected.push({ operation, target, account, key: by, application: by === key ? "crm" : null });
      const answered = ({ status, body }: { readonly status: number; readonly body: any }) => {
        if (status >= 300) throw new Error(JSON.stringify(body));
        return body.data ?? body;
      };
      const ask = (method: string, path: string, json?: unknown) =>
        Effect.map(asKey(world, text, method, path, json === undefined ? {} : { json }), answered);
      const admin = (method: string, path: string, json?: unknown) =>
        Effect.map(asAdmin(world, method, path, json), answered);
      const added = yield* ask("POST", "/api/accounts", { email: OTHER, password: "demo" });
      at("accounts.create", null, added.id);
      yield* ask("PATCH", `/api/accounts/${OTHER}`, { name: "Friend" });
      at("accounts.change", null, added.id);
      const { id: me } = (yield* ask("GET", `/api/accounts/${DEMO}`)) as { readonly id: string };

      const sent = yield* ask("POST", "/api/send", MAIL);
      at("send.send", sent.id, me);
      const draft = yield* ask("POST", "/api/drafts", MAIL);
      at("drafts.send", (yield* ask("POST", `/api/drafts/${draft.id}/send`)).id, me);
      const deleted = yield* ask("POST", "/api/drafts", MAIL);
      yield* ask("DELETE", `/api/drafts/${deleted.id}`);
      at("drafts.remove", deleted.id, me);
      const scheduled = yield* ask("POST", "/api/send", LATER);
      at("send.send", scheduled.id, me);
      yield* ask("DELETE", `/api/outbox/${scheduled.id}`);
      at("send.cancel", scheduled.id, me);

      const asking = yield* makeKey(world, { scopes: ["mail:read", "mail:draft"], application: "assistant" });
      for (const verb of ["approve", "deny"]) {
        const { body } = yield* asKey(world, asking.key, "POST", "/api/send", { json: MAIL });
        const { id, draftId, version } = body.approval as Readonly<Record<string, string>>;
        const by = { key: asking.id, application: "assistant" };
        expected.push({ operation: "drafts.create", target: draftId, account: me, ...by });
        expected.push({ operation: ASKED, target: draftId, account: me, ...by });
        const headers = { "if-match": `${version}`, "postern-account": DEMO };
        answered(yield* call(world, "POST", `/api/approvals/${id}/${verb}`, { token: text, headers, json: {} }));
        at(`approvals.${verb}`, id, me);
        if (verb === "approve") {
          const known = new Set(expected.map((one) => (one as { readonly target: unknown }).target));
          const [approved] = (yield* ask("GET", "/api/outbox")).filter((one: { id: string }) => !known.has(one.id));
          at("drafts.send", approved.id, me);
        }
      }

      const { emails } = yield* ask("GET", "/api/inbox");
      yield* ask("DELETE", `/api/messages/${emails[0].id}`);
      at("messages.remove", emails[0].id, me);
      yield* ask("POST", "/api/messages/batch", { ids: [emails[1].id], delete: "trash" });
      at("messages.batch", null, me);
      yield* ask("POST", "/api/messages/batch", { ids: [emails[2].id], change: { flagged: true } });
      const folder = yield* ask("POST", "/api/settings/folders", { name: "Bills" });
      yield* ask("DELETE", `/api/settings/folders/${folder.id}`);
      at("folderSettings.remove", folder.id, me);
      const identity = yield* ask("POST", "/api/identities", { name: "Al", address: "al@postern.test" });
      at("identities.create", identity.id, me);
      yield* ask("PATCH", `/api/identities/${identity.id}`, { name: "Alma" });
      at("identities.change", identity.id, me);
      yield* ask("DELETE", `/api/identities/${identity.id}`);
      at("identities.remove", identity.id, me);

      const endpoints = "/api/settings/webhooks";
      const endpoint = yield* ask("POST", endpoints, { url: "https://hooks.test/", events: ["email.sent"] });
      at("webhooks.create", endpoint.id, me);
      yield* ask("PATCH", `${endpoints}/${endpoint.id}`, { description: "one" });
      at("webhooks.change", endpoint.id, me);
      for (const [path, operation] of [
        ["disable", "disable"],
        ["enable", "enable"],
        ["rotate-secret", "rotateSecret"],
      ]) {
        yield* ask("POST", `${endpoints}/${endpoint.id}/${path}`);
        at(`webhooks.${operation}`, endpoint.id, me);
      }
      yield* ask("DELETE", `${endpoints}/${endpoint.id}`);
      at("webhooks.remove", endpoint.id, me);
      yield* ask("DELETE", `/api/accounts/${OTHER}`);
      at("accounts.remove", null, added.id);

      yield* admin("POST", `/api/accounts/${DEMO}/trace`, { minutes: 1 });
      at("accounts.startTrace", null, me, "admin");
      yield* admin("POST", "/api/oauth/apps", { id: "own", provider: "google", clientId: "c" });
      at("oauthApps.keep", "own", null, "admin");
      yield* admin("DELETE", "/api/oauth/apps/own");
      at("oauthApps.remove", "own", null, "admin");
      const client = yield* admin("POST", "/api/oauth/clients", {
        name: "Own",
        redirectUris: ["https://a.example/cb"],
      });
      at("oauthClients.make", client.id, null, "admin");
      yield* admin("DELETE", `/api/oauth/clients/${client.id}`);
      at("oauthClients.remove", client.id, null, "admin");
      for (const what of ["suspend", "resume"]) {
        yield* admin("POST", `/api/applications/doomed/${what}`);
        at(`keys.${what}`, "doomed", null, "admin");
      }
      for (const what of ["hold", "release", "cancel"]) {
        yield* admin("POST", `/api/admin/outbox/${what}`, { account: DEMO, application: "crm" });
        at(`operator.${what}`, "crm", me, "admin");
      }
      yield* admin("PATCH", `/api/keys/${doomed}`, { name: "Doomed" });
      at("keys.change", doomed, null, "admin");
      yield* admin("PATCH", "/api/applications/doomed", { displayName: "Doomed" });
      at("keys.changeApplication", "doomed", null, "admin");
      yield* admin("DELETE", `/api/keys/${doomed}`);
      at("keys.remove", doomed, null, "admin");
      yield* admin("DELETE", "/api/applications/doomed");
      at("keys.removeApplication", "doomed", null, "admin");

      const all = yield* entries(world);
      const made = all.filter(({ operation }) => operation === "keys.make");
      expect(made.map(({ key: by }) => by)).toEqual(["admin", "admin", "admin", "admin"]);
      const known = all
        .filter(({ operation }) => operation !== "keys.make")
        .map(({ operation, target, account, key: by, application }) => ({
          operation,
          target,
          account,
          key: by,
          application,
        }));
      const inOrder = (some: ReadonlyArray<unknown>) => some.map((one) => JSON.stringify(one)).toSorted();
      expect(inOrder(known)).toEqual(inOrder(expected));
      const elsewhere = [
        "send.release",
        "send.sendNow",
        "operator.readBody",
        "answers.unsubscribe",
        "grants.change",
        "grants.remove",
      ];
      const tried = new Set([...all.map(({ operation }) => operation), ...elsewhere, ...OF_AGENTS]);
      expect(tried).toEqual(new Set(AUDITED_OPERATIONS));
      expect(JSON.stringify(all)).not.toMatch(/Figures|postern\.test|psk_/);
    }).pipe(Effect.scoped),
  );

  it.live("has no entry of refused requests and of reads [S8.7-4]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { key } = yield* makeKey(world);
      const before = yield* entries(world);
      for (const [method, path, json] of [
        ["GET", "/api/inbox", undefined],
        ["POST", "/api/send", { ...MAIL, to: "nobody" }],
        ["DELETE", "/api/outbox/out_none", undefined],
        ["DELETE", "/api/settings/webhooks/we_none", undefined],
        ["PATCH", "/api/accounts/none@postern.test", { name: "x" }],
      ] as const) {
        yield* asKey(world, key, method, path, json === undefined ? {} : { json });
      }
      yield* asAdmin(world, "DELETE", "/api/keys/none");
      expect(yield* entries(world)).toEqual(before);
    }).pipe(Effect.scoped),
  );

  it.live("shows a key its own entries, and a session those about its account [S8.7-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      yield* signIn(world, "demo", OTHER);
      const [one, other] = [yield* makeKey(world), yield* makeKey(world)];
      yield* asKey(world, one.key, "POST", "/api/send", { json: MAIL });
      yield* asKey(world, one.key, "POST", "/api/send", { account: OTHER, json: MAIL });
      yield* call(world, "POST", "/api/send", { token, json: MAIL });
      const seen = Effect.fnUntraced(function* (as: string, query = "") {
        const { status, body } = yield* call(world, "GET", `/api/audit${query}`, { token: as });
        expect(status).toBe(200);
        return body.data.map((entry: { readonly key: string | null }) => entry.key);
      });
      expect(yield* seen(one.key)).toEqual([one.id, one.id]);
      expect(yield* seen(one.key, `?account=${OTHER}`)).toEqual([one.id]);
      expect(yield* seen(one.key, `?key=${other.id}`)).toEqual([]);
      expect(yield* seen(other.key)).toEqual([]);
      expect(yield* seen(token)).toEqual(expect.arrayContaining([one.id, null]));
      expect(yield* seen(token)).toHaveLength(2);
      expect(yield* seen(token, `?account=${OTHER}`)).toEqual([]);
      expect(yield* seen(token, `?key=${one.id}`)).toEqual([one.id]);
      expect((yield* entries(world, `?account=${OTHER}&operation=send.send`)).length).toBe(1);
      expect((yield* entries(world, "?key=admin")).length).toBe(2);
    }).pipe(Effect.scoped),
  );

  it.live("has the deletion of a message that the mail server does not have any more [S8.7-5]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const [{ id }] = (yield* call(world, "GET", "/api/inbox", { token })).body.emails;
      const remove = call(world, "DELETE", `/api/messages/${id}?permanent=true`, { token });
      expect([(yield* remove).status, (yield* remove).status]).toEqual([200, 404]);
      expect((yield* entries(world)).map(({ operation, target }) => [operation, target])).toEqual([
        ["messages.remove", id],
        ["messages.remove", id],
      ]);
    }).pipe(Effect.scoped),
  );

  it.live("is kept for 90 days, also after the account was erased [S8.7-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      yield* call(world, "POST", "/api/send", { token, json: MAIL });
      yield* call(world, "DELETE", "/api/account", { token });
      const operations = Effect.map(entries(world, `?account=${DEMO}`), (all) => all.map((one) => one["operation"]));
      expect(new Set(yield* operations)).toEqual(new Set(["accounts.remove", "send.send"]));
      yield* world.pass("89 days");
      yield* world.sweep;
      expect(yield* operations).toHaveLength(2);
      yield* world.pass("2 days");
      yield* world.sweep;
      expect(yield* operations).toEqual([]);
    }).pipe(Effect.scoped),
  );
});
