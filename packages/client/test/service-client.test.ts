import { expect, expectTypeOf, it } from "vitest";
import { ApiProblem, type ChangeEvent, createClient, type Message } from "../src/index.ts";
import { type Answers, json, scripted } from "./scripted.ts";

const clientOf = (...answers: Answers) => {
  const { fetch, asked } = scripted(...answers);
  const client = createClient({ baseUrl: "https://postern.test/mail/", key: "psk_1", fetch });
  return { client, ada: client.account("ada@example.com"), asked };
};

it("sends its key and the account, under the path of the service", async () => {
  const { client, ada, asked } = clientOf(() => json(200, { ok: true, data: { id: "x" } }));
  expect(await ada.messages.read("a/b")).toEqual({ id: "x" });
  expect(await client.accounts.get("ada@example.com")).toEqual({ id: "x" });
  expectTypeOf(ada.messages.read).returns.resolves.toEqualTypeOf<Message>();
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /mail/api/messages/a%2Fb",
    "GET /mail/api/accounts/ada%40example.com",
  ]);
  expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer psk_1", "Bearer psk_1"]);
  expect(asked.map(({ headers }) => headers.get("postern-account"))).toEqual(["ada@example.com", null]);
});

it("sends options as header fields and in the query, and uses one key for all attempts", async () => {
  const { ada, asked } = clientOf(
    () => json(200, { ok: true, data: { id: "f_1" } }),
    () => json(429, { code: "too_many_requests" }, { "retry-after": "0" }),
    () => json(200, { ok: true, messageId: "<m>", status: "sent" }),
  );
  await ada.folderSettings.remove("f_1", { version: "v1", permanent: true, moveTo: undefined });
  expect(asked[0]).toMatchObject({ method: "DELETE", path: "/mail/api/settings/folders/f_1?permanent=true" });
  expect(asked[0]!.headers.get("if-match")).toBe("v1");
  expect(await ada.drafts.send("dr_1", { version: "v2" })).toEqual({ messageId: "<m>", status: "sent" });
  const keys = asked.slice(1).map(({ headers }) => headers.get("idempotency-key"));
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
});

it("resolves with a page, and iterates over its items and those of later pages", async () => {
  const page = (nextCursor: string | null, ...emails: ReadonlyArray<string>) =>
    json(200, { ok: true, emails, nextCursor });
  const answers: Answers = [() => page("c1", "a", "b"), () => page(null, "c")];
  const { ada, asked } = clientOf(...answers);
  const found: Array<unknown> = [];
  for await (const email of ada.inbox({ limit: 2 })) found.push(email);
  expect(found).toEqual(["a", "b", "c"]);
  expect(asked.map(({ path }) => path)).toEqual(["/mail/api/inbox?limit=2", "/mail/api/inbox?limit=2&cursor=c1"]);
  expect((await clientOf(...answers).ada.inbox.list()).nextCursor).toBe("c1");
});

it("has the operations of the service, and endpoints of its application", async () => {
  const { client, asked } = clientOf(() => json(200, { ok: true, data: [], nextCursor: null }));
  for (const list of [client.accounts, client.webhooks.list, client.keys, client.oauth.apps.list])
    expect((await list()).data).toEqual([]);
  expect(asked.map(({ path }) => path)).toEqual([
    "/mail/api/accounts",
    "/mail/api/settings/webhooks",
    "/mail/api/keys",
    "/mail/api/oauth/apps",
  ]);
  expect(await client("GET /api/keys")).toMatchObject({ ok: true });
});

it("reads the feed of all accounts, or of one, with data typed by the type of the event", async () => {
  const event = { id: "evt_1", event: "email.received", account: { id: "acc_1" }, data: { id: "m_1" } };
  const { client, ada, asked } = clientOf(() => json(200, { ok: true, data: [event], next: "e.1", more: false }));
  const { data, next } = await client.changes({ after: "e.0", types: "email.received", wait: 20 });
  expect((await ada.changes.list()).next).toBe(next);
  expect(asked.map(({ headers }) => headers.get("postern-account"))).toEqual([null, "ada@example.com"]);
  expect(asked[0]!.path).toBe("/mail/api/changes?after=e.0&types=email.received&wait=20");
  const received = (one: ChangeEvent) => (one.event === "email.received" ? [one.account.id, one.data.id] : []);
  expect(data.flatMap(received)).toEqual(["acc_1", "m_1"]);
  expectTypeOf<Extract<ChangeEvent, { event: "webhook.disabled" }>["account"]>().extract<null>().toEqualTypeOf<null>();
});

it("follows the events of all accounts, or of one, in the folders that are named", async () => {
  const event = { id: "evt_1", event: "email.received", account: { id: "acc_1" }, data: { id: "m_1" } };
  const { client, ada, asked } = clientOf(() => new Response(`id: e.1\ndata: ${JSON.stringify(event)}\n\n`));
  expect((await client.events({ folders: ["*", "junk"], lastEventId: "e.0" }).next()).value).toEqual(event);
  expect((await ada.events().next()).value).toEqual(event);
  expect(asked.map(({ path }) => path)).toEqual(["/mail/api/events?folders=*%2Cjunk", "/mail/api/events"]);
  expect(asked.map(({ headers }) => headers.get("postern-account"))).toEqual([null, "ada@example.com"]);
  expect(asked[0]!.headers.get("last-event-id")).toBe("e.0");
});

it("uploads a file, and reads bytes", async () => {
  const { ada, asked } = clientOf(() => json(200, { ok: true, data: { id: "up_1" } }));
  expect(await ada.uploads.upload({ name: "a.txt", content: new Blob(["hi"]) })).toEqual({ id: "up_1" });
  expect(asked[0]!.body.toString()).toContain('filename="a.txt"');
  const { ada: other } = clientOf(() => new Response("abc"));
  expect(await other.messages.attachment("m", "1")).toEqual(new TextEncoder().encode("abc"));
});

it("refuses an empty id before anything is sent, and distinguishes problems by code", async () => {
  const { ada, asked } = clientOf(() => json(404, { code: "message_not_found", title: "No message" }));
  await expect(ada.messages.read("")).rejects.toMatchObject({ code: "invalid_request", errors: [{ field: "id" }] });
  expect(asked).toEqual([]);
  const problem = await ada.messages.read("gone").catch((error: unknown) => error);
  if (!(problem instanceof ApiProblem)) throw problem;
  expect(problem.code).toBe("message_not_found");
  // @ts-expect-error codes are a closed union
  expect(problem.code === "no_such_code").toBe(false);
});
