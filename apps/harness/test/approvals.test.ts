import { it } from "@effect/vitest";
import { type Harness, harness } from "@postern/harness";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { asAdmin, DEMO, makeKey } from "./key-world.ts";
import { call, signIn } from "./call.ts";
import { callTool } from "./mcp-world.ts";

const EVE = "eve@evil.test";
const MAIL = { to: EVE, subject: "first", text: "words" };

/** The demo account with a session, and requests by keys with scopes and a policy. */
const world = Effect.gen(function* () {
  const service = yield* harness;
  const token: string = (yield* signIn(service)).body.token;
  const ask = (method: string, path: string, json?: unknown, version?: string, bearer = token) =>
    call(service, method, path, {
      token: bearer,
      headers: {
        ...(bearer === token ? {} : { "postern-account": DEMO }),
        ...(version === undefined ? {} : { "if-match": version }),
      },
      ...(json === undefined ? {} : { json }),
    });
  const keyWith = Effect.fnUntraced(function* (scopes: ReadonlyArray<string>, more: object = {}) {
    const { id, key } = yield* makeKey(service, { scopes, ...more });
    const by = (method: string, path: string, json?: unknown, version?: string) =>
      ask(method, path, json, version, key);
    return { id, by };
  });
  return { service, ask, keyWith, sent: sentOf(service) };
});

/** The subjects of the messages that left, by their copies in Sent. */
const sentOf = (service: Harness) => (subject: string) =>
  service.mail
    .account(AccountId(DEMO))
    .mailbox("Sent")
    .messages.filter((one) => one.summary.subject === subject).length;

const DRAFTER = ["mail:read", "mail:draft"];

describe("a message that an agent requests to send", () => {
  it.live("waits for a person, by a draft and by a message alike [S13.1-2] [S13.2-1]", () =>
    Effect.gen(function* () {
      const { ask, keyWith, sent } = yield* world;
      const agent = yield* keyWith(DRAFTER);
      const draft = (yield* agent.by("POST", "/api/drafts", MAIL)).body.data;
      const path = `/api/drafts/${draft.id}/send`;
      expect(yield* agent.by("POST", path)).toMatchObject({ status: 428, body: { code: "if_match_required" } });
      expect(yield* agent.by("POST", path, undefined, "7")).toMatchObject({ status: 409 });
      const asked = yield* agent.by("POST", path, undefined, draft.version);
      expect(asked).toMatchObject({
        status: 202,
        body: {
          approval: {
            state: "pending",
            draftId: draft.id,
            version: draft.version,
            by: { key: agent.id, name: "test" },
            recipients: [{ address: EVE, known: false }],
            preview: "words",
          },
        },
      });
      const again = yield* agent.by("POST", path, undefined, draft.version);
      expect(again.body.approval.id).toBe(asked.body.approval.id);
      const direct = yield* agent.by("POST", "/api/send", { ...MAIL, subject: "direct" });
      expect(direct.status).toBe(202);
      const made = yield* ask("GET", `/api/drafts/${direct.body.approval.draftId}`);
      expect(made.body.data).toMatchObject({ subject: "direct", state: "draft" });
      expect([sent("first"), sent("direct")]).toEqual([0, 0]);
      const { id } = asked.body.approval;
      const approved = yield* ask("POST", `/api/approvals/${id}/approve`, undefined, draft.version);
      expect(approved).toMatchObject({ status: 200, body: { data: { state: "approved" } } });
      expect(sent("first")).toBe(1);
    }).pipe(Effect.scoped),
  );

  it.effect("shows the agent's earlier calls, and no later ones [S13.2-9]", () =>
    Effect.gen(function* () {
      const { service, ask } = yield* world;
      const by = yield* makeKey(service, { scopes: DRAFTER });
      const other = yield* makeKey(service, { scopes: DRAFTER });
      const [{ id }] = (yield* ask("GET", "/api/inbox")).body.emails;
      const use = Effect.fnUntraced(function* (key: string, tool: string, given: object) {
        const { result } = yield* callTool(service, key, tool, given);
        yield* service.pass("1 second");
        return result!.structuredContent as object;
      });
      for (let n = 0; n < 20; n++) yield* use(by.key, "mailboxes", {});
      yield* use(by.key, "read_message", { id });
      yield* use(other.key, "find_messages", {});
      const draft = yield* use(by.key, "write_draft", { to: [EVE], text: "words" });
      const { id: draftId, version } = draft as { readonly id: string; readonly version: string };
      const asked = yield* use(by.key, "send_draft", { draftId, version });
      yield* use(by.key, "find_messages", {});
      const { approval } = asked as { readonly approval: { readonly id: string } };
      const { calls } = (yield* ask("GET", `/api/approvals/${approval.id}`)).body.data;
      expect(calls).toHaveLength(20);
      expect(calls.slice(0, 3)).toMatchObject([
        { operation: "mcp.write_draft", ids: [draftId], outcome: "done" },
        { operation: "mcp.read_message", ids: [id], outcome: "done" },
        { operation: "mcp.mailboxes", ids: [], outcome: "done" },
      ]);
      expect(Object.keys(calls[0])).toEqual(["createdAt", "operation", "ids", "outcome"]);
    }).pipe(Effect.scoped),
  );

  it.live("is requested once by one Idempotency-Key [S13.2-2]", () =>
    Effect.gen(function* () {
      const { service } = yield* world;
      const { key } = yield* makeKey(service, { scopes: DRAFTER });
      const headers = { "postern-account": DEMO, "idempotency-key": "once" };
      const send = (json: object) => call(service, "POST", "/api/send", { token: key, headers, json });
      const first = (yield* send(MAIL)).body.approval;
      expect((yield* send(MAIL)).body.approval.id).toBe(first.id);
      expect((yield* send({ ...MAIL, text: "other" })).body.code).toBe("idempotency_key_reused");
    }).pipe(Effect.scoped),
  );

  it.live("is sent once by many approvals at once [S13.2-4]", () =>
    Effect.gen(function* () {
      const { ask, keyWith, sent } = yield* world;
      const { id, version } = (yield* (yield* keyWith(DRAFTER)).by("POST", "/api/send", MAIL)).body.approval;
      const approve = ask("POST", `/api/approvals/${id}/approve`, undefined, version);
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => approve),
        { concurrency: 10 },
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(sent("first")).toBe(1);
    }).pipe(Effect.scoped),
  );

  it.live("is not decided by the key that asked, nor in another version [S13.2-3]", () =>
    Effect.gen(function* () {
      const { ask, keyWith, sent } = yield* world;
      const agent = yield* keyWith([...DRAFTER, "approvals"]);
      const { id, version } = (yield* agent.by("POST", "/api/send", MAIL)).body.approval;
      const approve = `/api/approvals/${id}/approve`;
      for (const [verb, json] of [["approve"], ["deny", {}]] as const) {
        const answer = yield* agent.by("POST", `/api/approvals/${id}/${verb}`, json, version);
        expect(answer).toMatchObject({ status: 403, body: { code: "approval_own" } });
      }
      expect(yield* ask("POST", approve)).toMatchObject({ status: 428 });
      expect(yield* ask("POST", approve, undefined, "9")).toMatchObject({ body: { code: "approval_changed" } });
      expect(sent("first")).toBe(0);
      const denied = yield* ask("POST", `/api/approvals/${id}/deny`, { reason: "no" });
      expect(denied.body.data).toMatchObject({ state: "denied", reason: "no" });
      expect(yield* ask("POST", approve, undefined, version)).toMatchObject({
        status: 409,
        body: { code: "approval_decided" },
      });
      expect(sent("first")).toBe(0);
    }).pipe(Effect.scoped),
  );

  it.live("is stale once its draft is changed, deleted or sent by the owner [S13.2-5]", () =>
    Effect.gen(function* () {
      const { ask, keyWith, sent } = yield* world;
      const agent = yield* keyWith(DRAFTER);
      const changes = {
        change: (id: string) => ask("PUT", `/api/drafts/${id}`, { ...MAIL, text: "other" }, "1"),
        deletion: (id: string) => ask("DELETE", `/api/drafts/${id}`),
        sending: (id: string) => ask("POST", `/api/drafts/${id}/send`),
      };
      for (const [name, change] of Object.entries(changes)) {
        const { id, draftId, version } = (yield* agent.by("POST", "/api/send", { ...MAIL, subject: name })).body
          .approval;
        expect([name, (yield* change(draftId)).status]).toEqual([name, 200]);
        expect((yield* ask("GET", `/api/approvals/${id}`)).body.data).toMatchObject({ state: "stale" });
        expect((yield* ask("POST", `/api/approvals/${id}/approve`, undefined, version)).status).toBe(409);
      }
      expect([sent("change"), sent("deletion"), sent("sending")]).toEqual([0, 0, 1]);
    }).pipe(Effect.scoped),
  );

  it.live("is withdrawn with its key [S13.2-6]", () =>
    Effect.gen(function* () {
      const { service, ask, keyWith, sent } = yield* world;
      const agent = yield* keyWith(DRAFTER);
      const { id, version } = (yield* agent.by("POST", "/api/send", MAIL)).body.approval;
      yield* asAdmin(service, "DELETE", `/api/keys/${agent.id}`);
      expect((yield* ask("GET", `/api/approvals/${id}`)).body.data).toMatchObject({ state: "withdrawn" });
      expect((yield* ask("POST", `/api/approvals/${id}/approve`, undefined, version)).status).toBe(409);
      expect(sent("first")).toBe(0);
    }).pipe(Effect.scoped),
  );

  it.live("is reported by events [S13.2-8]", () =>
    Effect.gen(function* () {
      const { service, ask, keyWith } = yield* world;
      const agent = yield* keyWith(DRAFTER);
      const url = "https://hooks.example.com/in";
      const events = ["approval.requested", "approval.decided"];
      const endpoint = (yield* ask("POST", "/api/settings/webhooks", { url, events })).body.data;
      const { id } = (yield* agent.by("POST", "/api/send", MAIL)).body.approval;
      yield* ask("POST", `/api/approvals/${id}/deny`, { reason: "no" });
      yield* service.pass("5 seconds");
      const { data } = (yield* ask("GET", `/api/settings/webhooks/${endpoint.id}/deliveries`)).body;
      const told = data.map(({ event }: { readonly event: string }) => event).toSorted();
      expect(told).toEqual(events.toSorted());
    }).pipe(Effect.scoped),
  );
});

describe("an agent", () => {
  it.live("sends within its policy up to perDay, and is refused outside with `never` [S13.1-3]", () =>
    Effect.gen(function* () {
      const { keyWith, sent } = yield* world;
      const sendPolicy = { to: ["@y.test"], perDay: 2, approval: "never" };
      const agent = yield* keyWith(["mail:send"], { sendPolicy });
      expect(yield* agent.by("POST", "/api/send", MAIL)).toMatchObject({ body: { code: "outside_policy" } });
      const statuses = [];
      for (let n = 0; n < 3; n++) {
        const { status, body } = yield* agent.by("POST", "/api/send", { ...MAIL, to: "a@y.test" });
        statuses.push([status, body.code]);
      }
      expect(statuses).toEqual([
        [200, undefined],
        [200, undefined],
        [429, "send_rate_exceeded"],
      ]);
      expect(sent("first")).toBe(2);
    }).pipe(Effect.scoped),
  );

  it.live("moves nothing into Sent or Drafts, and with a policy makes no identity [S13.1-6] [S13.1-7]", () =>
    Effect.gen(function* () {
      const { ask, keyWith } = yield* world;
      const sendPolicy = { to: ["@y.test"], approval: "outside" };
      const { folders } = (yield* ask("GET", "/api/folders")).body;
      const [{ id }] = (yield* ask("GET", "/api/inbox")).body.emails;
      const agents = [
        yield* keyWith(["mail:read", "mail:organize"]),
        yield* keyWith(["mail:read", "mail:write", "mail:send"], { sendPolicy }),
      ];
      for (const { by } of agents) {
        for (const role of ["sent", "drafts"]) {
          const folderId = folders.find((one: { readonly role: string | null }) => one.role === role).id;
          for (const [method, path, json] of [
            ["PATCH", `/api/messages/${id}`, { folderId }],
            ["POST", "/api/messages/batch", { ids: [id], change: { folderId } }],
          ] as const) {
            expect(yield* by(method, path, json)).toMatchObject({ status: 403, body: { code: "agent_not_allowed" } });
          }
        }
      }
      const filer = yield* keyWith(["mail:read", "mail:delete"]);
      const forged = (yield* filer.by("POST", "/api/settings/folders", { name: "Forged" })).body.data;
      const removal = yield* filer.by("DELETE", `/api/settings/folders/${forged.id}?moveTo=sent`);
      expect(removal).toMatchObject({ status: 400, body: { errors: [{ field: "moveTo" }] } });
      const identity = { name: "x", address: "x@postern.test" };
      const made = yield* agents[1]!.by("POST", "/api/identities", identity);
      expect(made).toMatchObject({ status: 403, body: { code: "agent_not_allowed" } });
      const free = yield* keyWith(["mail:read", "mail:write", "mail:send"]);
      expect((yield* free.by("POST", "/api/identities", identity)).status).toBe(200);
    }).pipe(Effect.scoped),
  );
});
