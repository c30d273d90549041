import { readFileSync } from "node:fs";
import { assert, it } from "@effect/vitest";
import { auditFields } from "@postern/core/rules";
import { harness, type Harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { describe } from "vitest";
import { assistantWorld, consent, redeem } from "./assistant-world.ts";
import { call, signIn } from "./call.ts";
import { asAdmin, DEMO, makeKey } from "./key-world.ts";
import { callTool, rpc } from "./mcp-world.ts";

interface Entry {
  readonly operation: string;
  readonly key: string | null;
  readonly account: string | null;
  readonly target: string | null;
  readonly ids: ReadonlyArray<string>;
  readonly outcome: string;
}

const AGENT = { scopes: ["mail:read", "mail:organize", "mail:delete", "mail:draft"], application: "assistant" };
const UNKNOWN = "T54ZJTRAIC0P18guRUVOeg";

/** Lists the entries of a key, oldest first, once its calls are written. */
const entriesOf = Effect.fnUntraced(function* (world: Harness, key: string) {
  yield* world.pass("1 second");
  const { body } = yield* asAdmin(world, "GET", `/api/audit?key=${key}&limit=100`);
  return (body.data as ReadonlyArray<Entry>).toReversed();
});

const told = ({ operation, outcome }: Entry) => `${operation} ${outcome}`;

it("every tool has an operation of the audit [S8.7-7]", () => {
  const golden = readFileSync(new URL("mcp-tools.json", import.meta.url), "utf8");
  const tools = (JSON.parse(golden) as ReadonlyArray<{ readonly name: string }>).map(({ name }) => `mcp.${name}`);
  const operations = auditFields.operation.literals.filter((one) => one.startsWith("mcp."));
  assert.sameMembers([...tools, "mcp.list", "mcp.other"], operations);
});

describe("the audit of agents", () => {
  it.effect("has every call of /mcp, reads and refused ones too, with ids and without contents [S8.7-7]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const { id: key, key: text } = yield* makeKey(world, AGENT);
      const [{ id, subject }] = (yield* call(world, "GET", "/api/inbox", { token })).body.emails;
      const calls = [
        rpc(world, text, "tools/list"),
        callTool(world, text, "read_message", { id }),
        callTool(world, text, "find_messages", { query: "private-query" }),
        callTool(world, text, "read_message", { id: UNKNOWN }),
        callTool(world, text, "read_message", { id: "private words" }),
        callTool(world, text, "read_message", { nosuch: "private-argument" }),
        callTool(world, text, "unsubscribe", { id }),
        callTool(world, text, "private-tool", {}),
        callTool(world, text, "read_message", { id, account: "stranger@postern.test" }),
        rpc(world, text, "resources/read", { uri: "mail://private" }),
        rpc(world, text, "private/method"),
      ];
      for (const one of calls) yield* Effect.andThen(one, world.pass("1 second"));
      const lines = yield* entriesOf(world, key);
      assert.deepStrictEqual(lines.map(told), [
        "mcp.list done",
        "mcp.read_message done",
        "mcp.find_messages done",
        "mcp.read_message message_not_found",
        "mcp.read_message message_not_found",
        "mcp.read_message invalid_request",
        "mcp.unsubscribe insufficient_scope",
        "mcp.other not_found",
        "mcp.read_message account_not_found",
        "mcp.other invalid_request",
        "mcp.other invalid_request",
      ]);
      const [, read, , lost, worded] = lines;
      assert.deepStrictEqual([read!.ids, lost!.ids, worded!.ids], [[id], [UNKNOWN], []]);
      assert.match(read!.account!, /^acc_/);
      assert.notMatch(JSON.stringify(lines), /private|stranger|postern\.test|psk_/);
      assert.notInclude(JSON.stringify(lines), subject);
    }).pipe(Effect.scoped),
  );

  it.effect("has the calls of older revisions, whose handshake is no call [S8.7-7]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* signIn(world);
      const { id: key, key: text } = yield* makeKey(world, AGENT);
      const post = Effect.fnUntraced(function* (messages: object) {
        const headers = {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${text}`,
          "postern-account": DEMO,
        };
        const init = { method: "POST", headers, body: JSON.stringify(messages) };
        const { status } = yield* world.request(new Request(new URL("/mcp", HARNESS_URL), init));
        yield* world.pass("1 second");
        return status;
      });
      const clientInfo = { name: "test", version: "1" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      assert.strictEqual(yield* post({ jsonrpc: "2.0", id: 1, method: "initialize", params }), 200);
      assert.strictEqual(yield* post({ jsonrpc: "2.0", method: "notifications/initialized" }), 202);
      assert.deepStrictEqual(yield* entriesOf(world, key), []);
      assert.strictEqual(yield* post({ jsonrpc: "2.0", id: 2, method: "private/method" }), 200);
      const list = { jsonrpc: "2.0", id: 3, method: "tools/list" };
      yield* post([list, { ...list, id: 4, method: "tools/call", params: { name: "mailboxes", arguments: {} } }]);
      const [refused, ...batch] = (yield* entriesOf(world, key)).map(told);
      assert.strictEqual(refused, "mcp.other invalid_request");
      assert.sameMembers(batch, ["mcp.list done", "mcp.mailboxes done"]);
    }).pipe(Effect.scoped),
  );

  it.effect("has what an agent changes, and not what people and applications only flag or draft [S8.7-9]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const { id: key, key: text } = yield* makeKey(world, AGENT);
      const { id: whole, key: application } = yield* makeKey(world);
      const emails = (yield* call(world, "GET", "/api/inbox", { token })).body.emails as ReadonlyArray<{ id: string }>;
      const [one = "", other = ""] = emails.map(({ id }) => id);
      const act = Effect.fnUntraced(function* (as: string) {
        const ask = Effect.fnUntraced(function* (method: string, path: string, json?: unknown, version = "*") {
          const headers = { "postern-account": DEMO, ...(version === "*" ? {} : { "if-match": version }) };
          const { status, body } = yield* call(world, method, path, { token: as, headers, json });
          assert.isBelow(status, 300, JSON.stringify(body));
          yield* world.pass("1 second");
          return body.data;
        });
        yield* ask("PATCH", `/api/messages/${one}`, { flagged: true });
        yield* ask("POST", "/api/messages/batch", { ids: [one, other], change: { unread: true } });
        const draft = yield* ask("POST", "/api/drafts", { to: "x@postern.test", subject: "Hi", text: "Hi" });
        yield* ask("PUT", `/api/drafts/${draft.id}`, { subject: "Hi", text: "Hello" }, draft.version);
        const folder = yield* ask("POST", "/api/settings/folders", { name: `of ${as.slice(-4)}` });
        yield* ask("PATCH", `/api/settings/folders/${folder.id}`, { name: `for ${as.slice(-4)}` });
        const block = yield* ask("POST", "/api/settings/blocks", { address: "b@postern.test" });
        yield* ask("DELETE", `/api/settings/blocks/${block.id}`);
        return [one, null, draft.id, draft.id, null, folder.id, block.id, block.id];
      });
      yield* act(application);
      assert.deepStrictEqual(yield* entriesOf(world, whole), []);
      const targets = yield* act(text);
      const lines = yield* entriesOf(world, key);
      assert.deepStrictEqual(lines.map(told), [
        "messages.change done",
        "messages.batch done",
        "drafts.create done",
        "drafts.save done",
        "folderSettings.create done",
        "folderSettings.change done",
        "blocks.add done",
        "blocks.remove done",
      ]);
      assert.deepStrictEqual(
        lines.map(({ target }) => target),
        targets,
      );
      assert.deepStrictEqual(lines[1]!.ids, [one, other]);
    }).pipe(Effect.scoped),
  );

  it.effect("keeps calls for 30 days, and the changes that they made for 90 [S8.7-8]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const { id: key, key: text } = yield* makeKey(world, AGENT);
      const [{ id }] = (yield* call(world, "GET", "/api/inbox", { token })).body.emails;
      yield* callTool(world, text, "organize", { ids: [id], flagged: true });
      assert.deepStrictEqual((yield* entriesOf(world, key)).map(told).toSorted(), [
        "mcp.organize done",
        "messages.batch done",
      ]);
      yield* world.pass("29 days");
      yield* world.sweep;
      assert.lengthOf(yield* entriesOf(world, key), 2);
      yield* world.pass("1 day");
      yield* world.sweep;
      assert.deepStrictEqual((yield* entriesOf(world, key)).map(told), ["messages.batch done"]);
      yield* world.pass("60 days");
      yield* world.sweep;
      assert.deepStrictEqual(yield* entriesOf(world, key), []);
    }).pipe(Effect.scoped),
  );

  it.effect("shows the calls of a grant to a session of its mailbox, and to no other session [S8.7-2]", () =>
    Effect.gen(function* () {
      const world = yield* assistantWorld;
      const { json } = yield* redeem(world, yield* consent(world, {}, "read"));
      const headers = { "postern-account": "friend@postern.test" };
      yield* callTool(world, json["access_token"] as string, "mailboxes", {});
      yield* world.pass("1 second");
      yield* rpc(world, json["access_token"] as string, "tools/call", { name: "mailboxes", arguments: {} }, headers);
      yield* world.pass("1 second");
      const seen = Effect.fnUntraced(function* (email: string) {
        const { token } = (yield* signIn(world, "demo", email)).body;
        const [grant] = (yield* call(world, "GET", "/api/grants", { token })).body.data;
        const { body } = yield* call(world, "GET", `/api/audit?key=${grant?.id ?? "none"}`, { token });
        return (body.data as ReadonlyArray<Entry>).map(told);
      });
      assert.deepStrictEqual(yield* seen("demo@postern.test"), [
        "mcp.mailboxes account_not_found",
        "mcp.mailboxes done",
      ]);
      assert.deepStrictEqual(yield* seen("friend@postern.test"), []);
    }).pipe(Effect.scoped),
  );
});
