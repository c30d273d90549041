import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import type { Account } from "../../src/accounts/index.ts";
import { Inbox } from "../../src/messages/index.ts";
import type { AccountListing, AccountListingRequest } from "../../src/messages/listing/list-account.ts";
import { encodeCursor } from "../../src/messages/page.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, n) => stored(n + 1));
const world = () =>
  new MailboxWorld([
    { id: "trash", role: "trash", messages: numbered(1) },
    { id: "junk", role: "junk", messages: numbered(1) },
    { id: "f_b", messages: numbered(3) },
    { id: "f_empty", messages: [] },
    { id: "f_a", messages: numbered(2) },
    { id: "f_name", selectable: false, messages: [] },
    { id: "inbox", role: "inbox", messages: numbered(4) },
  ]);
const lister = (mail: MailboxWorld) => {
  const layer = Inbox.layer.pipe(Layer.provide(mail.layer));
  return (request: AccountListingRequest = {}) =>
    Effect.flatMap(Inbox, (inbox) => inbox.listAccount(ME, request)).pipe(Effect.provide(layer));
};
const placesOf = ({ emails }: AccountListing) => emails.map(({ folderId, message }) => `${folderId} ${message.uid}`);
const MAIL = ["inbox 4", "inbox 3", "inbox 2", "inbox 1", "f_a 2", "f_a 1", "f_b 3", "f_b 2", "f_b 1"];
const known = (uidNext: number, seenFrom = 1, uidValidity = 1) => ({
  cursor: { uidValidity, uidNext, highestModSeq: null },
  seenFrom,
});
/** A world whose follower has recorded every message. */
const followedWorld = () => {
  const mail = world();
  mail.account = Option.some({ follow: "all" } as Account);
  mail.followed = new Map(mail.folders.map(({ id, messages }) => [id, known(messages.length + 1)]));
  return mail;
};

describe("a listing of an account", () => {
  it.effect("asks for a followed folder whose counters the server refuses, because it may have messages", () =>
    Effect.gen(function* () {
      const mail = followedWorld();
      const closed = mail.folders.find(({ id }) => id === "f_b")!;
      mail.folders = mail.folders.map((one) => (one === closed ? { ...one, selectable: false } : one));
      expect(placesOf(yield* lister(mail)())).toEqual(MAIL);
      mail.followed = new Map([...mail.followed!].filter(([id]) => id !== "f_b"));
      expect(placesOf(yield* lister(mail)())).toEqual(MAIL.filter((place) => !place.startsWith("f_b")));
    }),
  );

  it.effect.each([1, 2, 3, 4, 5, 9, 200])("has every message once, in parts of %d [S5.7-1]", (limit) =>
    Effect.gen(function* () {
      const list = lister(world());
      const found: Array<string> = [];
      for (let cursor: string | undefined | null; cursor !== null;) {
        const part: AccountListing = yield* list({ limit, cursor });
        expect(part.emails.length).toBeLessThanOrEqual(limit);
        found.push(...placesOf(part));
        cursor = part.nextCursor;
      }
      expect(found).toEqual(MAIL);
    }),
  );

  it.effect("is of the chosen folders, and of no other [S5.7-2]", () =>
    Effect.gen(function* () {
      const list = lister(world());
      expect(placesOf(yield* list({ folders: "*,junk,trash" }))).toEqual([...MAIL, "junk 1", "trash 1"]);
      expect(placesOf(yield* list({ folders: "f_b,sent" }))).toEqual(["f_b 3", "f_b 2", "f_b 1"]);
      for (const folders of ["f_absent", "f_a,f_absent"])
        expect((yield* Effect.flip(list({ folders })))._tag).toBe("FolderNotFound");
      const cursor = encodeCursor({ folderId: "f_b", key: "f_b", uidValidity: 1, uid: 2, position: 2 });
      expect((yield* Effect.flip(list({ folders: "f_a", cursor })))._tag).toBe("CursorMalformed");
      for (const wrong of [{ folders: "Work" }, { limit: 0 }, { limit: 201 }]) {
        expect((yield* Effect.flip(list(wrong)))._tag).toBe("InputInvalid");
      }
    }),
  );

  it.effect("continues after a folder that was deleted, and not in one that was recreated [S5.7-3]", () =>
    Effect.gen(function* () {
      const mail = world();
      const list = lister(mail);
      const { nextCursor } = yield* list({ limit: 5 });
      const cursor = nextCursor!;
      mail.uidValidity = 2;
      expect((yield* Effect.flip(list({ cursor })))._tag).toBe("CursorStale");
      mail.folders = mail.folders.filter(({ id }) => id !== "f_a");
      expect(placesOf(yield* list({ cursor }))).toEqual(["f_b 3", "f_b 2", "f_b 1"]);
    }),
  );

  it.effect("has what the follower recorded, and leaves the rest to the feed [S5.7-4]", () =>
    Effect.gen(function* () {
      const mail = followedWorld();
      const list = lister(mail);
      expect(placesOf(yield* list())).toEqual(MAIL);
      mail.followed!.set("inbox", known(2));
      mail.followed!.delete("f_a");
      // It was announced while an earlier change waited.
      mail.seen = ["inbox 3"];
      expect(placesOf(yield* list())).toEqual(["inbox 3", "inbox 1", "f_b 3", "f_b 2", "f_b 1"]);
    }),
  );

  it.effect("waits until the messages of its folders are recorded [S5.7-5]", () =>
    Effect.gen(function* () {
      const mail = followedWorld();
      const list = lister(mail);
      mail.followed!.set("inbox", known(5, 3));
      expect(placesOf(yield* list({ limit: 2 }))).toEqual(["inbox 4", "inbox 3"]);
      expect((yield* Effect.flip(list({ limit: 3 })))._tag).toBe("ListingNotReady");
      mail.followed!.set("inbox", known(5, 1, 9));
      expect((yield* Effect.flip(list()))._tag).toBe("ListingNotReady");
      mail.followed = null;
      expect((yield* Effect.flip(list()))._tag).toBe("ListingNotReady");
    }),
  );

  it.effect("opens 50 folders for one answer, and goes on in the next", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 51 }, (_, n) => `f_${100 + n}`);
      const list = lister(new MailboxWorld(ids.map((id) => ({ id, messages: numbered(1) }))));
      const { emails, nextCursor } = yield* list();
      expect(emails.map(({ folderId }) => folderId)).toEqual(ids.slice(0, 50));
      const rest = yield* list({ cursor: nextCursor! });
      expect([rest.emails.map(({ folderId }) => folderId), rest.nextCursor]).toEqual([["f_150"], null]);
    }),
  );

  it.effect("has Junk and then Trash at the end", () =>
    Effect.gen(function* () {
      const places = placesOf(yield* lister(world())({ folders: "trash,junk,inbox,f_a" }));
      expect([...new Set(places.map((place) => place.split(" ")[0]))]).toEqual(["inbox", "f_a", "junk", "trash"]);
      const roles = ["trash", "sent", "junk", "inbox", "archive"] as const;
      const mail = new MailboxWorld(roles.map((role) => ({ id: role, role, messages: numbered(1) })));
      expect(placesOf(yield* lister(mail)({ folders: roles.join() }))).toEqual(
        ["inbox", "archive", "sent", "junk", "trash"].map((id) => `${id} 1`),
      );
    }),
  );

  it.effect("asks for the messages together with the view, unless it continues in the folder", () =>
    Effect.gen(function* () {
      const mail = world();
      const list = lister(mail);
      const { nextCursor } = yield* list({ limit: 3 });
      yield* list({ limit: 3, cursor: nextCursor! });
      expect(mail.log).toEqual(["view inbox 3", "view inbox", "view f_a 2"]);
      mail.log = [];
      // An empty folder is not opened.
      yield* list();
      expect(mail.log).toEqual(["view inbox 200", "view f_a 196", "view f_b 194"]);
    }),
  );

  it.effect("leaves out a folder that the account may not read", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.forbidden = "f_a";
      expect(placesOf(yield* lister(mail)())).toEqual(MAIL.filter((place) => !place.startsWith("f_a")));
    }),
  );

  it.effect("shows moved messages by their ids", () =>
    Effect.gen(function* () {
      const mail = world();
      const [from, now] = [
        { folderId: "f_a", key: "f_a", uidValidity: 1, uid: 9 },
        { folderId: "inbox", key: "inbox", uidValidity: 1, uid: 4 },
      ];
      mail.left = [{ from, now, id: from }];
      expect((yield* lister(mail)()).emails[0]!.id).toBe(idOf("f_a", 9));
    }),
  );
});
