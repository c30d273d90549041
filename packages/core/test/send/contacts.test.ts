import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { Folders } from "../../src/folders/index.ts";
import { addressKey, FolderNotFound, type MessageSummary } from "../../src/mail/index.ts";
import { MailboxReader, type MailboxView } from "../../src/messages/index.ts";
import type { Contact, SentScan } from "../../src/send/contacts/Contact.ts";
import { ContactRecords, Contacts } from "../../src/send/index.ts";
import { noTransaction, numberedIds } from "../doubles.ts";
import { ME } from "../messages/mailbox-in-memory.ts";
import { summaryWith } from "../messages/summary.ts";

const NOW = 1_900_000_000_000;

/** An account's folder Sent, in which the message with UID n went to `n@y.test`, and its contacts. */
class ContactsWorld {
  sent: ReadonlyArray<MessageSummary> = [];
  uidValidity = 1;
  /** Whether the folders of the account were listed before. */
  isListed = true;
  isGone = false;
  /** How long the server takes to read a part of the folder. */
  readTime = 0;
  contacts = new Map<string, Contact>();
  scan: SentScan | null = null;
  log: Array<unknown> = [];

  /** Adds messages with these UIDs, to one recipient each. */
  add(first: number, last: number, address = (uid: number) => `${uid}@y.test`): void {
    for (let uid = first; uid <= last; uid++)
      this.sent = [...this.sent, summaryWith({ uid, arrivedAt: uid, to: [{ name: "", address: address(uid) }] })];
  }

  get view(): MailboxView {
    return {
      uidValidity: this.uidValidity,
      total: this.sent.length,
      unread: 0,
      state: null,
      messages: (first, last) => {
        this.log.push([first, last]);
        return Effect.delay(Effect.succeed(this.sent.slice(first - 1, last)), this.readTime);
      },
      flags: () => Effect.die("not asked for"),
      byUid: () => Effect.die("not asked for"),
      positionBelow: (below) => Effect.succeed(this.sent.filter(({ uid }) => uid < below).length),
    };
  }

  readonly use = <A, E>(use: (contacts: Contacts["Service"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(Contacts, use).pipe(
      Effect.provide(Contacts.layer),
      Effect.provide([
        Layer.mock(ContactRecords, {
          search: (_, text, after, limit) =>
            Effect.sync(() => {
              this.log.push(["search", text, after, limit]);
              return [...this.contacts.values()]
                .toSorted((one, other) => other.lastWrittenAt - one.lastWrittenAt)
                .slice(0, limit);
            }),
          find: (_, keys) =>
            Effect.sync(() => keys.flatMap((key) => (this.contacts.has(key) ? [this.contacts.get(key)!] : []))),
          save: (contacts) =>
            Effect.sync(() => {
              for (const one of contacts) this.contacts.set(addressKey(one.address), one);
              this.log.push(`saved ${contacts.length}`);
            }),
          forget: (_, id, at) =>
            Effect.sync(() => {
              const found = [...this.contacts].find(([, one]) => one.id === id && one.forgottenAt === null);
              if (found !== undefined) this.contacts.set(found[0], { ...found[1], forgottenAt: at });
              return found !== undefined;
            }),
          findScan: () => Effect.sync(() => Option.fromNullOr(this.scan)),
          saveScan: (_, scan) => Effect.sync(() => void (this.scan = scan)),
        }),
        Layer.mock(Folders, {
          findStored: (_, wanted) =>
            Effect.sync(() =>
              this.isListed ? Option.some({ id: wanted, key: wanted, path: "Sent", uidValidity: 1 }) : Option.none(),
            ),
          resolve: (_, wanted) =>
            Effect.suspend(() => {
              this.log.push(`list for ${wanted}`);
              return this.isGone ? Effect.fail(new FolderNotFound()) : Effect.succeed({ path: "Sent" } as never);
            }),
        }),
        Layer.mock(MailboxReader, {
          view: (_, path) => (path === "Sent" && !this.isGone ? Effect.succeed(this.view) : new FolderNotFound()),
        }),
        numberedIds,
        noTransaction,
      ]),
    );

  readonly search = (request: Parameters<Contacts["Service"]["search"]>[1] = {}) =>
    this.use((contacts) => contacts.search(ME, request));

  /** Searches, and returns what was read and stored for it. */
  readonly searched = (request: Parameters<Contacts["Service"]["search"]>[1] = {}) =>
    Effect.suspend(() => {
      this.log = [];
      return Effect.map(this.search(request), () => this.log.filter((one) => !String(one).startsWith("search")));
    });
}

describe("the first request for contacts", () => {
  it.effect("reads all of Sent, 500 messages at once, the newest first", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      world.add(11, 1_011);
      expect(yield* world.searched()).toEqual([[502, 1_001], "saved 500", [2, 501], "saved 500", [1, 1], "saved 1"]);
      expect(world.scan).toEqual({ uidValidity: 1, from: 1, below: 1_012 });
      expect(world.contacts.size).toBe(1_001);
      expect(world.contacts.get("11@y.test")).toEqual({
        id: expect.stringMatching(/^con_id/),
        account: ME,
        name: "",
        address: "11@y.test",
        lastWrittenAt: 11,
        forgottenAt: null,
      });
      expect(yield* world.searched()).toEqual([[502, 1_001]]);
    }),
  );

  it.effect("stops after 5 seconds, and the next request continues there [S12.5-2]", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      world.add(1, 2_000);
      world.readTime = 2_500;
      const first = yield* Effect.forkChild(world.searched());
      yield* TestClock.adjust(5_000);
      expect(yield* Fiber.join(first)).toEqual([[1_501, 2_000], "saved 500", [1_001, 1_500], "saved 500"]);
      expect(world.scan).toEqual({ uidValidity: 1, from: 1_001, below: 2_001 });
      world.readTime = 2_499;
      const second = yield* Effect.forkChild(world.searched());
      yield* TestClock.adjust(10_000);
      const rest = [[501, 1_000], "saved 500", [1, 500], "saved 500"];
      expect(yield* Fiber.join(second)).toEqual([[1_501, 2_000], ...rest]);
      expect(world.scan).toEqual({ uidValidity: 1, from: 1, below: 2_001 });
    }),
  );

  it.effect("lists the folders if none were listed before", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      world.isListed = false;
      world.add(1, 1);
      expect(yield* world.searched()).toEqual(["list for sent", [1, 1], "saved 1"]);
    }),
  );
});

describe("a later request for contacts", () => {
  it.effect("reads only what was sent since, in as many steps as needed", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      world.add(1, 3);
      yield* world.search();
      world.add(5, 5, () => "3@Y.test");
      expect(yield* world.searched()).toEqual([[1, 4], "saved 1"]);
      expect(world.scan).toEqual({ uidValidity: 1, from: 1, below: 6 });
      expect(world.contacts.size).toBe(3);
      expect(world.contacts.get("3@y.test")).toMatchObject({ id: expect.stringMatching(/^con_/), lastWrittenAt: 5 });
      world.add(10, 1_000);
      expect(yield* world.searched()).toEqual([[496, 995], [1, 495], "saved 991"]);
      expect(world.scan).toEqual({ uidValidity: 1, from: 1, below: 1_001 });
      world.add(1_001, 1_001);
      expect(yield* world.searched()).toEqual([[497, 996], "saved 1"]);
      world.sent = [];
      world.add(1_002, 1_002);
      expect(yield* world.searched()).toEqual([[1, 1], "saved 1"]);
    }),
  );

  it.effect("reads all of Sent again after it was recreated, and keeps the people [S12.5-4]", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      world.add(7, 8);
      yield* world.search();
      world.uidValidity = 2;
      world.sent = [];
      world.add(1, 1);
      expect(yield* world.searched()).toEqual([[1, 1], "saved 1"]);
      expect(world.scan).toEqual({ uidValidity: 2, from: 1, below: 2 });
      expect([...world.contacts.keys()]).toEqual(["7@y.test", "8@y.test", "1@y.test"]);
      world.isGone = true;
      expect((yield* world.search()).items).toHaveLength(3);
      expect(yield* world.searched()).toEqual([]);
    }),
  );

  it.effect("for a further page reads no mail", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      world.add(1, 3);
      const { items, nextCursor } = yield* world.search({ limit: 2 });
      expect(items.map(({ address }) => address)).toEqual(["3@y.test", "2@y.test"]);
      world.add(4, 4);
      expect(yield* world.searched({ limit: 2, cursor: nextCursor! })).toEqual([]);
      expect(world.log).toEqual([["search", "", { at: 2, id: items[1]!.id }, 3]]);
    }),
  );

  it.effect("has 20 contacts unless it asks for others, which its text may restrict", () =>
    Effect.gen(function* () {
      const world = new ContactsWorld();
      yield* world.search();
      yield* world.search({ query: "ann", limit: 200 });
      expect(world.log).toEqual([
        ["search", "", undefined, 21],
        ["search", "ann", undefined, 201],
      ]);
      for (const request of [{ limit: 201 }, { query: "x".repeat(201) }])
        expect(yield* Effect.flip(world.search(request))).toMatchObject({ _tag: "InputInvalid" });
      yield* world.search({ query: "x".repeat(200) });
    }),
  );
});

describe("a contact that is deleted", () => {
  it.effect("comes back with a later message only [S12.5-3]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ContactsWorld();
      world.add(1, 1);
      const [contact] = (yield* world.search()).items;
      const forget = (id: string) => world.use((contacts) => contacts.forget(ME, id));
      yield* forget(contact!.id);
      expect(world.contacts.get("1@y.test")?.forgottenAt).toBe(NOW);
      expect(yield* Effect.flip(forget(contact!.id))).toMatchObject({ _tag: "ContactNotFound" });
      expect(yield* Effect.flip(forget("x".repeat(4_000)))).toMatchObject({ _tag: "InputInvalid" });
      world.add(2, 2, () => "1@y.test");
      expect(yield* world.searched()).toEqual([[1, 2], "saved 0"]);
      world.sent = [...world.sent, { ...world.sent[0]!, uid: 3, arrivedAt: NOW + 1 }];
      yield* world.search();
      expect(world.contacts.get("1@y.test")).toEqual({ ...contact, lastWrittenAt: NOW + 1, forgottenAt: null });
    }),
  );
});
