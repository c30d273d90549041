import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { encodeCursor } from "../../src/messages/page.ts";
import { Inbox } from "../../src/messages/index.ts";
import type { InboxRequest } from "../../src/messages/InboxPage.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, n) => stored(n + 1, { unread: n % 2 === 0 }));
const world = (count = 5) =>
  new MailboxWorld([
    { id: "INBOX", role: "inbox", messages: numbered(count) },
    { id: "A", messages: numbered(2) },
    { id: "Name", selectable: false, messages: [] },
  ]);
const inboxOf = (mail: MailboxWorld) => {
  const layer = Inbox.layer.pipe(Layer.provide(mail.layer));
  return (request: InboxRequest = {}) =>
    Effect.flatMap(Inbox, (inbox) => inbox.list(ME, request)).pipe(Effect.provide(layer));
};
const uidsOf = ({
  page,
}: {
  readonly page: { readonly emails: ReadonlyArray<{ readonly message: { uid: number } }> };
}) => page.emails.map(({ message }) => message.uid);

describe("a listing", () => {
  it.effect("is of the INBOX, newest first, unless a folder is named", () =>
    Effect.gen(function* () {
      const list = inboxOf(world());
      const { page, age } = yield* list();
      expect(page).toMatchObject({ page: 1, limit: 20, total: 5, unread: 3, pages: 1, nextCursor: null });
      expect(page.folder).toEqual({ id: "INBOX", key: "INBOX", path: "INBOX", uidValidity: 1 });
      expect(page.emails.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1].map((uid) => idOf("INBOX", uid)));
      expect(age).toBe(0);
      expect(uidsOf(yield* list({ folder: "A" }))).toEqual([2, 1]);
    }),
  );

  it.effect.each([1, 2, 3, 5, 6])("pages by %d without gaps, by number and by cursor", (limit) =>
    Effect.gen(function* () {
      const list = inboxOf(world());
      const [byNumber, byCursor]: [Array<number>, Array<number>] = [[], []];
      let cursor: string | undefined;
      const pages = Math.ceil(5 / limit);
      for (let page = 1; page <= pages; page++) {
        const numbered = yield* list({ limit, page });
        const continued = yield* list({ limit, cursor });
        byNumber.push(...uidsOf(numbered));
        byCursor.push(...uidsOf(continued));
        expect([numbered.page.page, continued.page.page, numbered.page.pages]).toEqual([page, page, pages]);
        cursor = continued.page.nextCursor ?? undefined;
        expect(cursor === undefined).toBe(page === pages);
      }
      expect([byNumber, byCursor]).toEqual([
        [5, 4, 3, 2, 1],
        [5, 4, 3, 2, 1],
      ]);
      expect(uidsOf(yield* list({ limit, page: 9 }))).toEqual([]);
    }),
  );

  it.effect("asks for the messages of the first page together with the view", () =>
    Effect.gen(function* () {
      const mail = world();
      const list = inboxOf(mail);
      yield* list({ limit: 3 });
      const { page } = yield* list({ limit: 3, page: 1 });
      yield* list({ limit: 3, page: 2 });
      yield* list({ limit: 3, cursor: page.nextCursor! });
      expect(mail.log).toEqual(["view INBOX 3", "view INBOX 3", "view INBOX", "view INBOX"]);
    }),
  );

  it.effect("may be a minute old at most", () =>
    Effect.gen(function* () {
      const list = inboxOf(world());
      expect((yield* list({ maxAge: 30_000 })).age).toBe(30_000);
      expect((yield* list({ maxAge: 99_000 })).age).toBe(60_000);
    }),
  );

  it.effect("looks for a folder that is not stored, or was recreated, by a current listing", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.unheard.add("A");
      expect((yield* inboxOf(mail)({ folder: "A", maxAge: 9 })).age).toBe(0);
      mail.uidValidity = 2;
      const recreated = yield* inboxOf(mail)({ folder: "INBOX", maxAge: 9 });
      expect([recreated.page.folder.uidValidity, recreated.age]).toEqual([2, 0]);
      expect((yield* Effect.flip(inboxOf(mail)({ folder: "Nowhere" })))._tag).toBe("FolderNotFound");
      expect((yield* Effect.flip(inboxOf(mail)({ folder: "Name" })))._tag).toBe("FolderNotSelectable");
    }),
  );

  it.effect("refuses a cursor that is invalid, of another folder, or of a recreated folder", () =>
    Effect.gen(function* () {
      const mail = world();
      const list = inboxOf(mail);
      const at = { folderId: "INBOX", key: "INBOX", uidValidity: 1, uid: 3, position: 3 };
      const tagOf = (request: InboxRequest) => Effect.map(Effect.flip(list(request)), ({ _tag }) => _tag);
      expect(yield* tagOf({ cursor: "?" })).toBe("CursorMalformed");
      expect(yield* tagOf({ folder: "A", cursor: encodeCursor(at) })).toBe("CursorMalformed");
      expect(yield* tagOf({ cursor: encodeCursor({ ...at, uidValidity: 2 }) })).toBe("CursorStale");
      expect(uidsOf(yield* list({ cursor: encodeCursor(at) }))).toEqual([2, 1]);
      expect(
        uidsOf(yield* list({ cursor: encodeCursor({ ...at, folderId: "A", key: "A", uid: 2, position: 2 }) })),
      ).toEqual([1]);
    }),
  );

  it.effect("has previews if they are requested, and keeps a page whose previews are all known", () =>
    Effect.gen(function* () {
      const mail = world(2);
      const list = inboxOf(mail);
      const previews = () =>
        Effect.map(list({ previews: true }), ({ page }) => page.emails.map(({ preview }) => preview));
      mail.previews = new Map([[idOf("INBOX", 2), "Dear"]]);
      expect(yield* previews()).toEqual(["Dear", null]);
      expect((yield* list()).page.emails[0]).not.toHaveProperty("preview");
      expect(mail.log.filter((one) => one.startsWith("preview"))).toEqual(["preview INBOX 2,INBOX 1"]);
    }),
  );
});
