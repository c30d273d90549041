import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { criteriaOf } from "../../src/messages/SearchCriteria.ts";
import { encodeCursor } from "../../src/messages/page.ts";
import { encodeDateCursor } from "../../src/messages/search/date-order.ts";
import { MessageSearch, Search, SearchCharsetRefused } from "../../src/messages/index.ts";
import type { SearchRequest } from "../../src/messages/search/SearchRequest.ts";
import { idOf, MailboxWorld, ME, stored, type StoredMessage } from "./mailbox-in-memory.ts";

const numbered = (count: number, fields: Partial<StoredMessage> = {}) =>
  Array.from({ length: count }, (_, n) => stored(n + 1, { unread: n % 2 === 0, subject: "bill", ...fields }));

const world = () =>
  new MailboxWorld([
    { id: "Trash", role: "trash", messages: numbered(1) },
    { id: "Junk", role: "junk", messages: numbered(1) },
    { id: "inbox", role: "inbox", messages: [...numbered(5), stored(9, { subject: "letter" })] },
    { id: "A", messages: numbered(3) },
    { id: "Name", selectable: false, messages: [] },
  ]);
const searchIn = (mail: MailboxWorld) => {
  const layer = Search.layer.pipe(Layer.provide(mail.layer));
  const list = (request: SearchRequest) =>
    Effect.flatMap(Search, (search) => search.list(ME, request)).pipe(Effect.provide(layer));
  const ids = (request: SearchRequest) =>
    Effect.flatMap(Search, (search) => search.ids(ME, request)).pipe(Effect.provide(layer));
  return { list, ids };
};
const placesOf = ({
  emails,
}: {
  readonly emails: ReadonlyArray<{ readonly path: string; readonly message: { uid: number } }>;
}) => emails.map(({ path, message }) => `${path} ${message.uid}`);
const ALL = [
  ...[5, 4, 3, 2, 1].map((uid) => `inbox ${uid}`),
  ...[3, 2, 1].map((uid) => `A ${uid}`),
  "Junk 1",
  "Trash 1",
];

describe("a search in one line", () => {
  it.effect("finds its folder by role, and refuses a criterion that is given twice [S5.4-9] [S5.4-11]", () =>
    Effect.gen(function* () {
      const { list } = searchIn(world());
      expect(placesOf(yield* list({ q: "in:junk subject:bill" }))).toEqual(["Junk 1"]);
      expect(placesOf(yield* list({ q: "in:a is:unread" }))).toEqual(["A 3", "A 1"]);
      expect((yield* Effect.flip(list({ q: "in:None" })))._tag).toBe("FolderNotFound");
      expect(yield* Effect.flip(list({ q: "subject:bill", subject: "bill" }))).toMatchObject({
        errors: [{ field: "subject", message: "is given in q, too" }],
      });
      expect(yield* Effect.flip(list({ q: "in:A", folderId: "A" }))).toMatchObject({ errors: [{ field: "folderId" }] });
      expect(yield* Effect.flip(list({ q: "colour:red" }))).toMatchObject({ errors: [{ field: "q" }] });
    }),
  );

  it.effect("is itself refused where the mail server searches only for ASCII", () =>
    Effect.gen(function* () {
      const refusal = new SearchCharsetRefused({ criteria: ["terms"] });
      const refusing = Layer.mock(MessageSearch, { find: () => Stream.fail(refusal) });
      const layer = Search.layer.pipe(Layer.provide(refusing), Layer.provide(world().layer));
      const list = (request: SearchRequest) =>
        Effect.flip(Effect.flatMap(Search, (search) => search.list(ME, request))).pipe(Effect.provide(layer));
      expect(yield* list({ q: "plan -größe" })).toMatchObject({ criteria: ["q"] });
      expect(yield* list({ text: "größe" })).toMatchObject({ criteria: ["terms"] });
    }),
  );

  it("searches further texts in the headers only, if the scope says so [S5.4-9]", () => {
    const term = { field: "text", text: "plan", isExcluded: true } as const;
    expect(criteriaOf({ text: "x", terms: [term], scope: "headers" }).terms).toEqual([{ ...term, field: "headers" }]);
    expect(criteriaOf({ text: "x", terms: [term] }).terms).toEqual([term]);
  });
});

describe("the criteria of a search", () => {
  it("have the Message-ID in brackets [S5.4-5]", () => {
    expect(criteriaOf({ messageId: "a@x" }).messageId).toBe("<a@x>");
    expect(criteriaOf({ messageId: "<a@x>" }).messageId).toBe("<a@x>");
    expect(criteriaOf({}).messageId).toBeUndefined();
  });

  it("are days or times, as they are written [S5.4-6]", () => {
    const told = ({ since, before, arrivedFrom, arrivedBefore }: ReturnType<typeof criteriaOf>) => [
      since,
      before,
      arrivedFrom,
      arrivedBefore,
    ];
    expect(told(criteriaOf({ since: "2026-02-28", before: "2026-03-01T00:00:00+01:00" }))).toEqual([
      "2026-02-28",
      undefined,
      undefined,
      Date.UTC(2026, 1, 28, 23),
    ]);
    expect(told(criteriaOf({ since: "2026-02-28T01:00:00Z", before: "2026-03-01" }))).toEqual([
      undefined,
      "2026-03-01",
      Date.UTC(2026, 1, 28, 1),
      undefined,
    ]);
  });
});

describe("a search", () => {
  it.effect("lists the newest first in each folder, Junk and Trash last", () =>
    Effect.gen(function* () {
      const page = yield* searchIn(world()).list({ subject: "bill" });
      expect(placesOf(page)).toEqual(ALL);
      expect(page).toMatchObject({
        folder: null,
        page: 1,
        limit: 20,
        total: 10,
        unread: 7,
        pages: 1,
        nextCursor: null,
      });
    }),
  );

  it.effect.each([1, 2, 3, 4, 7, 10, 11])(
    "pages by %d through folders without gaps, by number and by cursor",
    (limit) =>
      Effect.gen(function* () {
        const { list } = searchIn(world());
        const byNumber: Array<string> = [];
        const byCursor: Array<string> = [];
        let cursor: string | undefined;
        for (let page = 1; page <= Math.ceil(10 / limit); page++) {
          const numbered = yield* list({ subject: "bill", limit, page });
          const continued = yield* list({ subject: "bill", limit, cursor });
          byNumber.push(...placesOf(numbered));
          byCursor.push(...placesOf(continued));
          expect([numbered.page, continued.page, numbered.pages]).toEqual([page, page, Math.ceil(10 / limit)]);
          expect(numbered.nextCursor).toBe(continued.nextCursor);
          cursor = continued.nextCursor ?? undefined;
          expect(cursor === undefined).toBe(page === Math.ceil(10 / limit));
        }
        expect([byNumber, byCursor]).toEqual([ALL, ALL]);
        expect((yield* list({ subject: "bill", limit, page: 12 })).emails).toEqual([]);
      }),
  );

  it.effect(
    "lists after 10 seconds what it found by then, and goes on at the cursor without gap or repetition [S5.4-8]",
    () =>
      Effect.gen(function* () {
        const mail = world();
        mail.searchTime = "4 seconds";
        const { list } = searchIn(mail);
        const slow = (request: SearchRequest) =>
          Effect.gen(function* () {
            const searching = yield* Effect.forkChild(list(request));
            yield* TestClock.adjust("20 seconds");
            return yield* Fiber.join(searching);
          });
        const first = yield* slow({ subject: "bill", limit: 7 });
        expect(placesOf(first)).toEqual(ALL.slice(0, 7));
        expect(first.incomplete).toMatchObject({ unsearched: 2, folders: [{ path: "Junk" }, { path: "Trash" }] });
        expect([first.total, first.pages]).toEqual([8, 2]);
        const second = yield* slow({ subject: "bill", limit: 7, cursor: first.nextCursor! });
        // The folder of the cursor is searched first, and the folders before it last.
        expect(placesOf(second)).toEqual(ALL.slice(7, 9));
        expect(second.incomplete?.folders.map(({ path }) => path)).toEqual(["Trash", "inbox"]);
        const third = yield* slow({ subject: "bill", limit: 7, cursor: second.nextCursor! });
        expect(placesOf(third)).toEqual(ALL.slice(9));
        expect(third.nextCursor).toBeNull();
      }),
  );

  it.effect("fails if not even one folder is searched in 10 seconds", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.searchTime = "11 seconds";
      const searching = yield* Effect.forkChild(Effect.flip(searchIn(mail).list({ subject: "bill" })));
      yield* TestClock.adjust("10 seconds");
      expect(yield* Fiber.join(searching)).toMatchObject({ _tag: "MailServerError", reason: "timeout" });
    }),
  );

  it.effect("for a batch has no time limit", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.searchTime = "4 seconds";
      const searching = yield* Effect.forkChild(searchIn(mail).ids({ subject: "bill" }));
      yield* TestClock.adjust("16 seconds");
      expect(yield* Fiber.join(searching)).toHaveLength(ALL.length);
    }),
  );

  it.effect("in one folder searches no other, and needs a folder that holds messages", () =>
    Effect.gen(function* () {
      const mail = world();
      const { list } = searchIn(mail);
      expect(placesOf(yield* list({ folder: "A", subject: "bill" }))).toEqual(["A 3", "A 2", "A 1"]);
      expect(mail.log.filter((one) => one.startsWith("search"))).toEqual(["search A"]);
      expect((yield* list({ folder: "A", subject: "bill" })).folder?.path).toBe("A");
      expect((yield* Effect.flip(list({ folder: "Name", subject: "bill" })))._tag).toBe("FolderNotSelectable");
      expect((yield* Effect.flip(list({ folder: "Nowhere", subject: "bill" })))._tag).toBe("FolderNotFound");
    }),
  );

  it.effect("in one folder needs a listing only if the folder is not where it was", () =>
    Effect.gen(function* () {
      const mail = world();
      const { list, ids } = searchIn(mail);
      const page = yield* list({ folderId: "A", subject: "bill", limit: 2 });
      yield* list({ folder: "A", subject: "bill", limit: 2, cursor: page.nextCursor! });
      yield* ids({ folder: "A", subject: "bill" });
      expect(mail.resolved).toBe(0);
      mail.uidValidity = 2;
      expect(placesOf(yield* list({ folder: "A", subject: "bill" }))).toEqual(["A 3", "A 2", "A 1"]);
      expect(mail.resolved).toBe(1);
      mail.folders = mail.folders.filter(({ id }) => id !== "A");
      expect((yield* Effect.flip(list({ folder: "A", subject: "bill" })))._tag).toBe("FolderNotFound");
      const elsewhere = encodeCursor({ folderId: "Junk", key: "Junk", uidValidity: 1, uid: 1, position: 1 });
      expect((yield* Effect.flip(list({ folder: "inbox", subject: "bill", cursor: elsewhere })))._tag).toBe(
        "CursorMalformed",
      );
    }),
  );

  it.effect("has previews only if they are asked for, null for a message without text", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.previews = new Map([
        [idOf("A", 3), "Dear"],
        [idOf("A", 2), null],
      ]);
      const { list } = searchIn(mail);
      const previews = (request: SearchRequest) =>
        Effect.map(list({ folder: "A", subject: "bill", ...request }), ({ emails }) =>
          emails.map(({ preview }) => preview),
        );
      expect(yield* previews({ previews: true })).toEqual(["Dear", null, null]);
      expect(yield* previews({})).toEqual([null, null, null]);
      expect(mail.log.filter((one) => one.startsWith("preview"))).toEqual(["preview A 3,A 2,A 1"]);
    }),
  );

  it.effect("refuses a cursor that is invalid, of another folder, or of a recreated folder", () =>
    Effect.gen(function* () {
      const { list } = searchIn(world());
      const tagOf = (cursor: string) =>
        Effect.map(Effect.flip(list({ folder: "A", subject: "bill", cursor })), ({ _tag }) => _tag);
      const at = { folderId: "A", key: "A", uidValidity: 1, uid: 2, position: 1 };
      expect(yield* tagOf("?")).toBe("CursorMalformed");
      expect(yield* tagOf(encodeCursor({ ...at, folderId: "inbox", key: "inbox" }))).toBe("CursorMalformed");
      expect(yield* tagOf(encodeCursor({ ...at, uidValidity: 2 }))).toBe("CursorStale");
      expect(placesOf(yield* list({ folder: "A", subject: "bill", cursor: encodeCursor(at) }))).toEqual(["A 1"]);
    }),
  );

  it.effect("for a batch finds at most 1,000 ids, newest first", () =>
    Effect.gen(function* () {
      const mail = world();
      const found = yield* searchIn(mail).ids({ subject: "bill" });
      expect(found.map((id) => `${JSON.parse(id)[1]} ${JSON.parse(id)[3]}`)).toEqual(ALL);
      mail.folder("inbox")!.messages = numbered(999);
      const many = yield* searchIn(mail).ids({ subject: "bill" });
      expect([many.length, many[0], many[998], many[999]]).toEqual([
        1_000,
        idOf("inbox", 999),
        idOf("inbox", 1),
        idOf("A", 3),
      ]);
      mail.folder("inbox")!.messages = numbered(1_002);
      expect((yield* searchIn(mail).ids({ folder: "inbox", subject: "bill" })).slice(-1)).toEqual([idOf("inbox", 3)]);
      expect((yield* Effect.flip(searchIn(mail).ids({})))._tag).toBe("InputInvalid");
    }),
  );

  it.effect("finds a message that the server recognises in several folders once, in the first", () =>
    Effect.gen(function* () {
      const mail = new MailboxWorld([
        { id: "inbox", role: "inbox", messages: numbered(2).map((one) => ({ ...one, emailId: `e${one.uid}` })) },
        { id: "All", messages: numbered(3).map((one) => ({ ...one, emailId: `e${one.uid}` })) },
      ]);
      const { list } = searchIn(mail);
      expect(placesOf(yield* list({ subject: "bill" }))).toEqual(["inbox 2", "inbox 1", "All 3"]);
      // The folder of the cursor is searched first, but the message was shown in the one before.
      const cursor = encodeCursor({ folderId: "All", key: "All", uidValidity: 0, uid: 1, position: 1 });
      expect(placesOf(yield* list({ subject: "bill", cursor }))).toEqual(["All 3"]);
    }),
  );
});

describe("a search by date", () => {
  const DATED: Record<string, ReadonlyArray<number>> = { Trash: [3], Junk: [9], inbox: [1, 8, 4, 6, 6], A: [7, 2, 6] };
  const dated = () => {
    const mail = world();
    for (const folder of mail.folders) {
      folder.messages = (DATED[folder.id] ?? []).map((arrivedAt, n) =>
        stored(n + 1, { arrivedAt, subject: "bill", unread: n % 2 === 0 }),
      );
    }
    return mail;
  };
  const BY_DATE = ["Junk 1", "inbox 2", "A 1", "inbox 5", "inbox 4", "A 3", "inbox 3", "Trash 1", "A 2", "inbox 1"];

  it.effect.each([1, 2, 3, 4, 9, 10, 11])(
    "merges folders, and pages by %d without gaps, by number and by cursor [S5.4-12]",
    (limit) =>
      Effect.gen(function* () {
        const { list } = searchIn(dated());
        const byNumber: Array<string> = [];
        const byCursor: Array<string> = [];
        let cursor: string | undefined;
        for (let page = 1; page <= Math.ceil(10 / limit); page++) {
          const numbered = yield* list({ subject: "bill", order: "date", limit, page });
          const continued = yield* list({ subject: "bill", order: "date", limit, cursor });
          byNumber.push(...placesOf(numbered));
          byCursor.push(...placesOf(continued));
          expect([numbered.page, continued.page, numbered.total, continued.unread]).toEqual([page, page, 10, 7]);
          expect(numbered.nextCursor).toBe(continued.nextCursor);
          cursor = continued.nextCursor ?? undefined;
        }
        expect(cursor).toBeUndefined();
        expect([byNumber, byCursor]).toEqual([BY_DATE, BY_DATE]);
      }),
  );

  it.effect("repeats and leaves out nothing while mail arrives and is deleted, also in one folder [S5.4-12]", () =>
    Effect.gen(function* () {
      const mail = dated();
      const { list } = searchIn(mail);
      const first = yield* list({ subject: "bill", order: "date", limit: 4 });
      mail.folder("A")!.messages = [...mail.folder("A")!.messages, stored(4, { arrivedAt: 20, subject: "bill" })];
      mail.folder("inbox")!.messages = mail.folder("inbox")!.messages.filter(({ uid }) => uid !== 5);
      const second = yield* list({ subject: "bill", order: "date", limit: 9, cursor: first.nextCursor! });
      expect([...placesOf(first), ...placesOf(second)]).toEqual(BY_DATE);
      const one = yield* list({ subject: "bill", order: "date", folder: "A" });
      expect(placesOf(one)).toEqual(["A 4", "A 1", "A 3", "A 2"]);
    }),
  );

  it.effect("merges what was searched in time, and continues with the other folders [S5.4-12]", () =>
    Effect.gen(function* () {
      const mail = dated();
      mail.searchTime = "4 seconds";
      const { list } = searchIn(mail);
      const slow = (request: SearchRequest) =>
        Effect.gen(function* () {
          const searching = yield* Effect.forkChild(
            Effect.result(list({ subject: "bill", order: "date", ...request })),
          );
          yield* TestClock.adjust("20 seconds");
          return yield* Effect.fromResult(yield* Fiber.join(searching));
        });
      const first = yield* slow({ limit: 6 });
      const early = BY_DATE.filter((place) => /inbox|A/.test(place));
      expect(placesOf(first)).toEqual(early.slice(0, 6));
      expect([first.total, first.incomplete?.unsearched]).toEqual([8, 2]);
      mail.searchTime = "3 seconds";
      // This time the search reaches more folders, but the previous page did not merge them.
      const second = yield* slow({ limit: 6, cursor: first.nextCursor! });
      expect(placesOf(second)).toEqual(early.slice(6));
      const third = yield* slow({ limit: 6, cursor: second.nextCursor! });
      expect(placesOf(third)).toEqual(["Junk 1", "Trash 1"]);
      expect(third.nextCursor).toBeNull();
      mail.searchTime = "6 seconds";
      expect(yield* Effect.flip(slow({ limit: 6, cursor: first.nextCursor! }))).toMatchObject({
        _tag: "MailServerError",
        reason: "timeout",
      });
    }),
  );

  it.effect("takes no cursor of the other order", () =>
    Effect.gen(function* () {
      const { list } = searchIn(dated());
      const byFolder = yield* list({ subject: "bill", limit: 1 });
      const byDate = yield* list({ subject: "bill", limit: 1, order: "date" });
      for (const request of [
        { order: "date", cursor: byFolder.nextCursor! },
        { cursor: byDate.nextCursor! },
        {
          order: "date",
          cursor: encodeDateCursor({ folderId: "A", until: "gone", after: { at: 1, folderId: "A", uid: 1 } }),
        },
        { order: "date", cursor: encodeDateCursor({ folderId: "gone", until: null, after: null }) },
      ] as const) {
        expect((yield* Effect.flip(list({ subject: "bill", ...request })))._tag).toBe("CursorMalformed");
      }
    }),
  );
});
