import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  const inbox = world.mail.account(AccountId("demo@postern.test")).mailbox("INBOX");
  const arrive = (...lines: ReadonlyArray<string>) =>
    Effect.sync(() => inbox.append(Buffer.from(lines.join("\r\n")), Date.UTC(2026, 0, 1)));
  const list = (query = "") =>
    Effect.map(call(world, "GET", `/api/inbox${query}`, { token }), ({ status, body }) => ({ status, ...body }));
  return { inbox, arrive, list };
});

describe("a folder", () => {
  it.live("is named by its id in answers, and in queries in place of its path [S5.1-15]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const get = (path: string) => Effect.map(call(world, "GET", path, { token }), ({ body }) => body);
      const all: ReadonlyArray<{ readonly id: string; readonly name: string }> = (yield* get("/api/folders")).folders;
      const { id } = all.find(({ name }) => name === "Sent")!;
      yield* call(world, "POST", "/api/send", { token, json: { to: "a@x.test", subject: "once", text: "x" } });
      for (const path of ["/api/inbox", "/api/search"]) {
        const page = yield* get(`${path}?folderId=${id}`);
        expect(page).toEqual(yield* get(`${path}?folder=Sent`));
        const [email] = page.emails;
        expect([path, page.folder, page.folderId, email.folder, email.folderId]).toEqual([
          path,
          "Sent",
          id,
          "Sent",
          id,
        ]);
        const read = (yield* get(`/api/messages/${email.id}`)).data;
        expect([read.folder, read.folderId]).toEqual(["Sent", id]);
        const thread = yield* get(`/api/threads/${email.id}?include=text`);
        const found = thread.emails.find((one: { readonly folder: string }) => one.folder === "Sent");
        expect([thread.folderId, found.folderId, found.newText]).toEqual([null, id, "x"]);
        expect((yield* get(`${path}?folderId=Sent`)).code).toBe("folder_not_found");
        expect((yield* get(`${path}?folderId=${id}&folder=Sent`)).errors).toEqual([
          { field: "folderId", message: "is given beside folder" },
        ]);
      }
      expect((yield* get("/api/search")).folderId).toBeNull();
    }).pipe(Effect.scoped),
  );
});

describe("the listing of a folder", () => {
  it.live(
    "has INBOX in pages of 20, of 200 at most, the latest arrival first [S5.1-1] [S5.1-3] [S5.1-4] [S5.1-6]",
    () =>
      Effect.gen(function* () {
        const { inbox, arrive, list } = yield* start;
        for (let n = 0; n < 210; n++) yield* arrive(`Subject: m${n}`, "", "Hi.");
        const total = inbox.messages.length;
        const first = yield* list();
        expect(first).toMatchObject({ status: 200, ok: true, folder: "INBOX", page: 1, limit: 20, total });
        expect(first.pages).toBe(Math.ceil(total / 20));
        const subjects = (page: { readonly emails: ReadonlyArray<{ readonly subject: string }> }) =>
          page.emails.map(({ subject }) => subject);
        expect(subjects(first)).toEqual(Array.from({ length: 20 }, (_, n) => `m${209 - n}`));
        const clamped = yield* list("?limit=5000&preview=false");
        expect([clamped.limit, clamped.emails.length]).toEqual([200, 200]);
        expect(yield* list("?page=9999")).toMatchObject({ status: 200, page: 9999, emails: [], total });
        const after = yield* list(`?page=7&cursor=${first.nextCursor}`);
        expect([after.page, subjects(after)]).toEqual([2, subjects(yield* list("?page=2"))]);
      }).pipe(Effect.scoped),
  );

  it.live("has the first 200 addresses of a field, and says how many there are [S5.2-2]", () =>
    Effect.gen(function* () {
      const { arrive, list } = yield* start;
      const crowd = Array.from({ length: 250 }, (_, n) => `a${n}@x.test`).join(",\r\n ");
      yield* arrive(`To: ${crowd}`, "Cc: b@x.test", "Subject: crowd", "", "Hi.");
      const [email] = (yield* list("?limit=1")).emails;
      expect(email).toMatchObject({ toCount: 250, ccCount: 1, truncated: true, cc: [{ address: "b@x.test" }] });
      expect(email.to).toHaveLength(200);
    }).pipe(Effect.scoped),
  );

  it.live(
    "has a preview of at most 200 characters, null without text and if it is not wanted [S12.3-1] [S12.3-5]",
    () =>
      Effect.gen(function* () {
        const { arrive, list } = yield* start;
        yield* arrive("Subject: empty", "", "");
        yield* arrive("Subject: long", "", `Begin ${"word ".repeat(100)}`);
        yield* arrive("Subject: html", "Content-Type: text/html", "", "<p>Read <b>this</b>.</p>");
        const previews = (query: string) =>
          Effect.map(list(query), ({ emails }) => emails.map(({ preview }: { readonly preview: unknown }) => preview));
        const [html, long, empty] = yield* previews("?limit=3");
        expect([html, empty]).toEqual(["Read this.", null]);
        expect(long).toMatch(/^Begin word word /);
        expect([...long].length).toBeGreaterThan(150);
        expect([...long].length).toBeLessThanOrEqual(200);
        expect(yield* previews("?limit=3&preview=false")).toEqual([null, null, null]);
      }).pipe(Effect.scoped),
  );
});
