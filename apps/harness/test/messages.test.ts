import { EmailPage, FolderList, FoundPage, Message, MessageAnswer, MessageBatchResult } from "@postern/api";
import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, harness, HARNESS_URL } from "@postern/harness";
import { Effect, Schema } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const strict = { onExcessProperty: "error" } as const;
const DEMO = AccountId("demo@postern.test");

const decoded = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S, body: unknown) =>
  Schema.decodeUnknownEffect(schema, strict)(body);

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  const get = (path: string) => call(world, "GET", path, { token });
  const send = (method: string, path: string, json?: unknown) => call(world, method, path, { token, json });
  return { world, token, get, send };
});

const download = (world: Harness, token: string, path: string, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const request = new Request(new URL(path, HARNESS_URL), {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    const response = yield* world.request(request);
    const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()));
    return { status: response.status, headers: response.headers, bytes };
  });

const arrive = (world: Harness, raw: string, folder = "INBOX") =>
  Effect.sync(() =>
    world.mail
      .account(DEMO)
      .mailbox(folder)
      .append(Buffer.from(raw), Date.UTC(2026, 0, 1)),
  );

const newest = Effect.fnUntraced(function* (get: (path: string) => ReturnType<typeof call>) {
  return (yield* get("/api/inbox?limit=1")).body.emails[0].id as string;
});

describe("reading messages", () => {
  it.live(
    "reads every message of the sandbox [S5.3-1]",
    () =>
      Effect.gen(function* () {
        const { get } = yield* start;
        const { folders } = yield* decoded(FolderList, (yield* get("/api/folders")).body);
        let [read, html, pictures] = [0, 0, 0];
        for (const { id } of folders.filter(({ selectable }) => selectable)) {
          const page = yield* decoded(EmailPage, (yield* get(`/api/inbox?folder=${id}&limit=200`)).body);
          for (const email of page.emails) {
            const { data } = yield* decoded(MessageAnswer, (yield* get(`/api/messages/${email.id}`)).body);
            expect(data).toMatchObject({ id: email.id, subject: email.subject, parsed: true, truncated: false });
            expect(`${data.text}${data.html}`).not.toMatch(/\ufffd|Ã|=[0-9A-F]{2}=/);
            expect(data.text!.length).toBeGreaterThan(0);
            read++;
            if (data.html !== null) html++;
            const shown = data.attachments.filter(({ url }) => data.html?.includes(url) === true);
            pictures += shown.length;
            expect(data.html ?? "").not.toContain("cid:");
          }
        }
        expect(read).toBeGreaterThan(100);
        expect(html).toBeGreaterThan(20);
        expect(pictures).toBeGreaterThan(0);
      }).pipe(Effect.scoped),
    60_000,
  );

  it.live("downloads attachments, whole and in part, with headers that prevent execution [S5.3-2]", () =>
    Effect.gen(function* () {
      const { world, token, get } = yield* start;
      const bytes = Uint8Array.from({ length: 3000 }, (_, n) => n % 251);
      const base64 = Buffer.from(bytes).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
      yield* arrive(
        world,
        `From: a@b.c\r\nSubject: f\r\nMIME-Version: 1.0\r\nContent-Type: text/html; name="../..\\evil\u202egnp.html"\r\n` +
          `Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${base64}\r\n`,
      );
      const id = yield* newest(get);
      const { data } = (yield* get(`/api/messages/${id}`)).body as { data: typeof Message.Type };
      const [file] = data.attachments;
      const whole = yield* download(world, token, file!.url);
      expect(whole.bytes).toEqual(bytes);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        "content-type": "application/octet-stream",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "accept-ranges": "bytes",
      });
      expect(whole.headers.get("content-disposition")).toMatch(/^attachment; filename="[^"/\\]*"/);
      const range = (value: string, more = {}) => download(world, token, file!.url, { range: value, ...more });
      for (const [asked, from, to] of [
        ["bytes=0-0", 0, 0],
        ["bytes=100-199", 100, 199],
        ["bytes=2990-", 2990, 2999],
        ["bytes=-5", 2995, 2999],
        ["bytes=2000-99999", 2000, 2999],
      ] as const) {
        const part = yield* range(asked);
        expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/3000`]);
        expect(part.bytes).toEqual(bytes.subarray(from, to + 1));
      }
      const outside = yield* range("bytes=3000-");
      expect([outside.status, outside.headers.get("content-range")]).toEqual([416, "bytes */3000"]);
      expect((yield* range("bytes=5-1")).status).toBe(200);
      expect((yield* range("bytes=0-1", { "if-range": '"other"' })).status).toBe(200);
      expect((yield* range("bytes=0-1", { "if-range": whole.headers.get("etag")! })).status).toBe(206);
      const raw = yield* download(world, token, `/api/messages/${id}/raw`);
      expect(new TextDecoder().decode(raw.bytes)).toContain("Subject: f\r\n");
      expect((yield* get(`/api/messages/${id}/attachments/7`)).status).toBe(404);
    }).pipe(Effect.scoped),
  );

  it.live("reports ids of other accounts, unknown ids and ids of deleted messages as not found [S2.3-3] [S5.2-8]", () =>
    Effect.gen(function* () {
      const { world, get, send } = yield* start;
      const id = yield* newest(get);
      const friend = (yield* signIn(world, "demo", "friend@postern.test")).body.token;
      for (const path of ["", "/raw", "/attachments/1"]) {
        expect((yield* call(world, "GET", `/api/messages/${id}${path}`, { token: friend })).status).toBe(404);
        expect((yield* get(`/api/messages/nonsense${path}`)).status).toBe(404);
      }
      expect((yield* call(world, "DELETE", `/api/messages/${id}`, { token: friend })).status).toBe(404);
      expect((yield* send("DELETE", `/api/messages/${id}?permanent=true`)).body.data).toEqual({
        id,
        deleted: true,
        movedTo: null,
        newId: null,
      });
      for (const path of ["", "/raw"]) expect((yield* get(`/api/messages/${id}${path}`)).status).toBe(404);
      expect((yield* send("PATCH", `/api/messages/${id}`, { flagged: true })).status).toBe(404);
    }).pipe(Effect.scoped),
  );
});

describe("acting on messages", () => {
  it.live("an id stays through moves, and deleting it twice does not destroy the message [S5.3-3] [S5.2-9]", () =>
    Effect.gen(function* () {
      const { get, send } = yield* start;
      const id = yield* newest(get);
      const changed = yield* send("PATCH", `/api/messages/${id}`, { unread: true, flagged: true, folderId: "junk" });
      expect(changed.body.data).toMatchObject({ unread: true, flagged: true, folder: "Junk" });
      expect(changed.body.data.id).toBe(id);
      expect((yield* get(`/api/messages/${id}`)).body.data).toMatchObject({ id, folder: "Junk" });
      expect((yield* get("/api/inbox?folder=junk")).body.emails.map((one: { id: string }) => one.id)).toContain(id);
      const removed = (yield* send("DELETE", `/api/messages/${id}`)).body.data;
      expect(removed).toMatchObject({ id, movedTo: "trash", newId: id });
      expect((yield* send("DELETE", `/api/messages/${id}`)).body.data).toMatchObject({ movedTo: "trash", newId: id });
      expect((yield* get(`/api/messages/${id}`)).body.data).toMatchObject({ id, folder: "Trash" });
      expect((yield* send("PATCH", `/api/messages/${id}`, { folderId: "none" })).status).toBe(404);
      for (const bad of [{}, { unread: "yes" }, { folderId: "" }]) {
        expect((yield* send("PATCH", `/api/messages/${id}`, bad)).status).toBe(400);
      }
    }).pipe(Effect.scoped),
  );

  it.live("a batch reports the result of each message [S5.3-3]", () =>
    Effect.gen(function* () {
      const { get, send } = yield* start;
      const { emails, total } = (yield* get("/api/inbox?limit=5")).body;
      const ids: Array<string> = emails.map(({ id }: { id: string }) => id);
      const flagged = yield* send("POST", "/api/messages/batch", {
        ids: [...ids, "unknown", ids[0]],
        change: { flagged: true, unread: true },
      });
      const { data } = yield* decoded(MessageBatchResult, flagged.body);
      expect(data.results.map(({ ok, code }) => [ok, code])).toEqual([
        ...ids.map(() => [true, null]),
        [false, "message_not_found"],
        [true, null],
      ]);
      expect((yield* get("/api/inbox?limit=5")).body.emails.every((email: any) => email.flagged && email.unread)).toBe(
        true,
      );
      const moved = yield* send("POST", "/api/messages/batch", { ids, delete: "trash" });
      expect(moved.body.data.movedTo).toBe("trash");
      expect((yield* get("/api/inbox?limit=5")).body.total).toBe(total - 5);
      const gone = yield* send("POST", "/api/messages/batch", {
        query: { folder: "trash", flagged: true },
        delete: "permanent",
      });
      expect(gone.body.data.results.length).toBeGreaterThanOrEqual(5);
      expect((yield* get(`/api/messages/${ids[0]}`)).status).toBe(404);
      for (const bad of [
        {},
        { ids },
        { ids, query: { unread: true }, delete: "trash" },
        { ids: [], delete: "trash" },
        { query: {}, delete: "trash" },
        { ids, delete: "trash", change: { unread: true } },
        { ids: Array.from({ length: 1001 }, () => "x"), delete: "trash" },
      ]) {
        expect((yield* send("POST", "/api/messages/batch", bad)).status).toBe(400);
      }
    }).pipe(Effect.scoped),
  );

  it.live("refuses a folder without messages, naming the field [S4.1-4] [S2.4-2]", () =>
    Effect.gen(function* () {
      const { world, get, send } = yield* start;
      world.mail.account(DEMO).create("Holder/Inner");
      const { folders } = (yield* get("/api/folders")).body;
      const listed = folders.find(({ path }: { path: string }) => path === "Holder");
      expect(listed).toMatchObject({ selectable: false, unreadCount: 0, totalCount: 0 });
      const holder = listed.id;
      const id = yield* newest(get);
      const move = { ids: [id], change: { folderId: holder } };
      const search = { query: { folder: holder, unread: true }, delete: "trash" };
      const refused = [
        ["folder", yield* get(`/api/inbox?folder=${holder}`)],
        ["folderId", yield* send("PATCH", `/api/messages/${id}`, { folderId: holder })],
        ["change.folderId", yield* send("POST", "/api/messages/batch", move)],
        ["query.folder", yield* send("POST", "/api/messages/batch", search)],
      ] as const;
      for (const [field, { body }] of refused)
        expect(body).toMatchObject({ status: 400, code: "folder_not_selectable", errors: [{ field }] });
    }).pipe(Effect.scoped),
  );
});

describe("finding messages", () => {
  it.live(
    "searches one folder or all, page by page, without repeating or missing a message [S5.4-1]",
    () =>
      Effect.gen(function* () {
        const { get } = yield* start;
        const all = yield* decoded(FoundPage, (yield* get("/api/search?hasAttachments=true&limit=200")).body);
        expect(new Set(all.emails.map(({ folder }) => folder)).size).toBeGreaterThan(2);
        for (const query of ["text=e", "text=e&folder=INBOX", "hasAttachments=true", "unread=true&since=2025-03-01"]) {
          const whole = yield* decoded(FoundPage, (yield* get(`/api/search?${query}&limit=200`)).body);
          const seen: Array<string> = [];
          let cursor: string | null = "";
          for (let page = 1; cursor !== null; page++) {
            const found: typeof FoundPage.Type = yield* decoded(
              FoundPage,
              (yield* get(`/api/search?${query}&limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`)).body,
            );
            expect(found).toMatchObject({ page, total: whole.total, unread: whole.unread });
            const paged = (yield* get(`/api/search?${query}&limit=7&page=${page}`)).body;
            expect(paged.emails.map(({ id }: { id: string }) => id)).toEqual(found.emails.map(({ id }) => id));
            seen.push(...found.emails.map(({ id }) => id));
            cursor = found.nextCursor;
            if (seen.length >= 200) break;
          }
          expect(seen.slice(0, 200)).toEqual(whole.emails.map(({ id }) => id).slice(0, seen.length));
          expect(new Set(seen).size).toBe(seen.length);
        }
        for (const bad of ["since=yesterday", "unread=1", "larger=-1", "text=%0A", "cursor=x", "limit=0"]) {
          expect((yield* get(`/api/search?${bad}`)).status).toBe(400);
        }
        expect((yield* get("/api/search?folder=nowhere")).status).toBe(404);
      }).pipe(Effect.scoped),
    60_000,
  );

  it.live("returns the same conversation for each of its messages [S5.2-6]", () =>
    Effect.gen(function* () {
      const { world, get } = yield* start;
      const mail = (n: number, more: string) =>
        `From: a@b.c\r\nSubject: talk${n}\r\nMessage-ID: <t${n}@x>\r\n${more}\r\nText.\r\n`;
      yield* arrive(world, mail(1, ""));
      yield* arrive(world, mail(2, "In-Reply-To: <t1@x>\r\nReferences: <t1@x>\r\n"), "Sent");
      yield* arrive(world, mail(3, "In-Reply-To: <t2@x>\r\n"));
      yield* arrive(world, mail(4, "References: <t1@x>\r\n <t2@x> <t3@x>\r\n"), "Trash");
      yield* arrive(world, mail(5, ""));
      const { emails } = (yield* get("/api/search?subject=talk")).body;
      for (const n of [1, 2, 3, 4]) {
        const { id } = emails.find(({ subject }: { subject: string }) => subject === `talk${n}`);
        const thread = yield* decoded(FoundPage, (yield* get(`/api/threads/${id}`)).body);
        expect(thread.emails.map(({ subject }) => subject).toSorted()).toEqual(["talk1", "talk2", "talk3", "talk4"]);
      }
      // What In-Reply-To alone names is the parent: its message has another threadId, of the same conversation.
      const threadIds: ReadonlyArray<string> = emails.map(({ threadId }: { threadId: string }) => threadId);
      const derived = (root: string) => `t_${Buffer.from(root).toString("base64url")}`;
      expect(new Set(threadIds)).toEqual(new Set(["t1@x", "t2@x", "t5@x"].map(derived)));
      for (const [root, talks] of [
        ["t1@x", [1, 2, 3, 4]],
        ["t2@x", [1, 2, 3, 4]],
        ["t5@x", [5]],
      ] as const) {
        const thread = yield* decoded(FoundPage, (yield* get(`/api/threads/${derived(root)}`)).body);
        expect(thread.emails.map(({ subject }) => subject).toSorted()).toEqual(talks.map((n) => `talk${n}`));
      }
      for (const none of ["T123", derived("absent@x"), "t_", "t_!!"]) {
        expect((yield* get(`/api/threads/${none}`)).status).toBe(404);
      }
    }).pipe(Effect.scoped),
  );
});
