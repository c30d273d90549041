import { readFileSync } from "node:fs";
import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { asKey, DEMO, makeKey } from "./key-world.ts";
import { callTool, rpc } from "./mcp-world.ts";

const READS = ["mailboxes", "find_messages", "read_message", "read_thread", "read_attachment", "wait_for_message"];

describe("POST /mcp", () => {
  it.effect("lists the tools that the key may call, as the golden file has them [S13.4-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const reader = yield* makeKey(world, { scopes: ["mail:read"] });
      const organizer = yield* makeKey(world, { scopes: ["mail:read", "mail:organize"] });
      const read = yield* rpc(world, reader.key, "tools/list");
      expect(read.result!.tools.map(({ name }) => name)).toEqual(READS);
      const organizing = yield* rpc(world, organizer.key, "tools/list");
      expect(organizing.result!.tools.map(({ name }) => name)).toEqual([...READS, "organize"]);
      const writer = yield* makeKey(world, { scopes: ["mail:read", "mail:organize", "mail:draft", "mail:send"] });
      const all = yield* rpc(world, writer.key, "tools/list");
      expect(all.result!.tools.map(({ name }) => name)).toEqual([
        ...READS,
        "organize",
        "write_draft",
        "send_draft",
        "unsubscribe",
      ]);
      const golden = readFileSync(new URL("mcp-tools.json", import.meta.url), "utf8");
      expect(all.result!.tools).toEqual(JSON.parse(golden));
      expect(golden.length).toBeLessThan(24 * 1024);
      const barred = yield* callTool(world, reader.key, "organize", {});
      expect(barred.error?.code).toBe(-32_602);
    }).pipe(Effect.scoped),
  );

  it.effect("takes service keys only, and no foreign Origin [S13.4-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { key } = yield* makeKey(world, { scopes: ["mail:read"] });
      const none = yield* rpc(world, undefined, "tools/list");
      expect(none.status).toBe(401);
      expect(none.headers.get("www-authenticate")).toContain("resource_metadata=");
      expect((yield* rpc(world, (yield* signIn(world)).body.token, "tools/list")).status).toBe(401);
      expect((yield* rpc(world, key, "tools/list", {}, { origin: "https://evil.test" })).status).toBe(403);
      expect((yield* rpc(world, key, "tools/list", {}, { origin: HARNESS_URL.origin })).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  it.effect("reads a message between fences whose nonce no other call has [S13.5-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { key } = yield* makeKey(world, { scopes: ["mail:read"] });
      const { body } = yield* asKey(world, key, "GET", "/api/inbox?limit=1");
      const [email] = body.emails as ReadonlyArray<{ readonly id: string; readonly subject: string }>;
      const nonces = new Set<string>();
      for (let n = 0; n < 2; n++) {
        const { result } = yield* callTool(world, key, "read_message", { id: email!.id });
        const nonce = /<untrusted ([\w-]{16})>/.exec(result!.content[0]!.text)![1]!;
        expect(result!.content[0]!.text).toContain(`<untrusted ${nonce}>${email!.subject}</untrusted ${nonce}>`);
        nonces.add(nonce);
      }
      expect(nonces.size).toBe(2);
      const { result } = yield* rpc(world, key, "resources/read", { uri: `mail://${DEMO}/${email!.id}` });
      expect(result!.contents[0]!.text).toContain(email!.subject);
    }).pipe(Effect.scoped),
  );

  it.effect("returns an error of the API as a result with advice", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { key } = yield* makeKey(world, { scopes: ["mail:read"] });
      const lost = yield* callTool(world, key, "read_message", { id: "T54ZJTRAIC0P18guRUVOeg" });
      expect(lost.result).toMatchObject({ isError: true, structuredContent: { code: "message_not_found" } });
      const wrong = yield* callTool(world, key, "find_messages", { nosuch: 1 });
      expect(wrong.error?.code).toBe(-32_602);
    }).pipe(Effect.scoped),
  );

  it.effect("unsubscribes from a list only by one click [S5.8-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { key } = yield* makeKey(world, { scopes: ["mail:read", "mail:send"] });
      const mailbox = world.mail.account(AccountId(DEMO)).mailbox("INBOX");
      mailbox.append(Buffer.from("Subject: s\r\nList-Unsubscribe: <mailto:off@news.test>\r\n\r\nx"), 0);
      const { body } = yield* asKey(world, key, "GET", "/api/inbox?limit=1");
      const { result } = yield* callTool(world, key, "unsubscribe", { id: body.emails[0].id });
      expect(result).toMatchObject({ isError: true, structuredContent: { code: "unsubscribe_not_offered" } });
      expect((yield* asKey(world, key, "GET", "/api/outbox")).body.data).toEqual([]);
    }).pipe(Effect.scoped),
  );

  it.effect("organizes, undoes it, and moves nothing into Sent [S13.4-4]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { key } = yield* makeKey(world, { scopes: ["mail:read", "mail:organize"] });
      const list = Effect.map(asKey(world, key, "GET", "/api/inbox?limit=5"), ({ body }) =>
        (body.emails as ReadonlyArray<{ readonly id: string; readonly flagged: boolean }>).map(({ id, flagged }) => ({
          id,
          flagged,
        })),
      );
      const before = yield* list;
      const ids = before.map(({ id }) => id);
      const done = yield* callTool(world, key, "organize", { ids, flagged: true });
      expect((yield* list).every(({ flagged }) => flagged)).toBe(true);
      for (const call of done.result!.structuredContent.undo) yield* callTool(world, key, "organize", call);
      expect(yield* list).toEqual(before);
      const refused = yield* callTool(world, key, "organize", { ids, moveTo: "sent" });
      expect(refused.result?.isError).toBe(true);
      const many = yield* callTool(world, key, "organize", {
        ids: Array.from({ length: 101 }, () => ids[0]),
        read: true,
      });
      expect(many.result?.content[0]!.text).toContain("100");
      expect(yield* list).toEqual(before);
    }).pipe(Effect.scoped),
  );

  it.effect("writes drafts, and sends what the policy allows or asks a person [S13.4-5]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const sendPolicy = { to: ["@y.test"], approval: "outside" };
      const { key } = yield* makeKey(world, { scopes: ["mail:read", "mail:draft", "mail:send"], sendPolicy });
      const write = (more: object) =>
        callTool(world, key, "write_draft", { subject: "plan", text: "**Hi** <i>", ...more });
      const read = (id: string) =>
        Effect.map(call(world, "GET", `/api/drafts/${id}`, { token }), ({ body }) => body.data);
      const made = (yield* write({ kind: "new", to: ["eve@evil.test"] })).result!.structuredContent;
      expect(yield* read(made.id)).toMatchObject({
        version: made.version,
        text: "**Hi** <i>",
        html: "<p><strong>Hi</strong> &lt;i&gt;</p>\n",
      });
      const asked = yield* callTool(world, key, "send_draft", { draftId: made.id, version: made.version });
      expect(asked.result!.structuredContent).toMatchObject({ approval: { state: "pending" } });
      const changed = (yield* write({ draftId: made.id, version: made.version, to: ["a@y.test"] })).result!;
      const now = changed.structuredContent.version;
      const old = yield* callTool(world, key, "send_draft", { draftId: made.id, version: made.version });
      expect(old.result).toMatchObject({ isError: true, structuredContent: { code: "draft_changed" } });
      const sent = yield* callTool(world, key, "send_draft", { draftId: made.id, version: now });
      expect(sent.result!.structuredContent).toMatchObject({ sent: { status: "sent" } });
      const [email] = (yield* asKey(world, key, "GET", "/api/inbox?limit=1")).body.emails;
      for (const kind of ["reply", "reply_all", "forward"]) {
        const { id } = (yield* write({ kind, messageId: email.id })).result!.structuredContent;
        const draft = yield* read(id);
        expect([kind, draft.text.startsWith("**Hi**")]).toEqual([kind, true]);
        expect(draft.replyToMessageId).toBe(kind === "forward" ? null : email.id);
      }
      expect((yield* write({ kind: "reply" })).result).toMatchObject({ isError: true });
    }).pipe(Effect.scoped),
  );

  it.effect("offers the page of an approval to a client that opens pages; its answer decides nothing [S13.4-6]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const session = (yield* signIn(world)).body.token;
      const { key } = yield* makeKey(world, { scopes: ["mail:read", "mail:draft"] });
      const draft = { to: ["new@y.test"], subject: "S", text: "T" };
      const { id: draftId, version } = (yield* callTool(world, key, "write_draft", draft)).result!.structuredContent;
      const send = (inputResponses?: object, elicitation: object = { url: {} }) => {
        const params = {
          name: "send_draft",
          arguments: { draftId, version },
          ...(inputResponses && { inputResponses }),
        };
        return rpc(world, key, "tools/call", params, {}, { elicitation });
      };
      const asked = (yield* send()).result!;
      const { method, params } = asked.inputRequests!.approval;
      expect([asked.resultType, method, params.mode]).toEqual(["input_required", "elicitation/create", "url"]);
      const [, id] = new RegExp(`^${HARNESS_URL.origin}/settings/approvals/(apr_[\\w-]+)$`).exec(params.url)!;
      for (const action of ["accept", "decline", "cancel"]) {
        const { structuredContent } = (yield* send({ approval: { action } })).result!;
        expect(structuredContent).toMatchObject({ approval: { id, state: "pending", url: params.url } });
      }
      expect((yield* send(undefined, {})).result!.structuredContent).toMatchObject({ approval: { id } });
      expect((yield* send(undefined, { form: {} })).result!.structuredContent).toMatchObject({ approval: { id } });
      yield* call(world, "POST", `/api/approvals/${id}/approve`, { token: session, headers: { "if-match": version } });
      const done = (yield* send({ approval: { action: "accept" } })).result!;
      expect(done.structuredContent).toMatchObject({ sent: {} });
    }).pipe(Effect.scoped),
  );
});
