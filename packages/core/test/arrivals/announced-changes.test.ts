import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { announce, announcementServices, findOwnMoves, placeChanges } from "../../src/arrivals/announce-changes.ts";
import type { PlacedChange } from "../../src/arrivals/arrival-events.ts";
import { standInEvents } from "../../src/arrivals/stand-in-events.ts";
import { EventPublisher, type MailEvent } from "../../src/events/index.ts";
import { type ArrivedMessage, MovedMessages } from "../../src/watch/index.ts";
import type { MailboxChange, SettledFolder } from "../../src/watch/neighbours.ts";
import type { LeftLocation } from "../../src/watch/ports/MovedMessages.ts";
import { numberedIds, readableIds } from "../doubles.ts";
import { cursorAt, ME, message, NOW } from "./inbox-in-memory.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

type Change = MailboxChange<ArrivedMessage>;
const INBOX = { id: "inbox", key: "inbox", path: "INBOX" };
const BILLS = { id: "f_bills", key: "bills", path: "Work/Bills" };
const ACCOUNT = { id: "acc_1", email: ME };

const received = (uid: number, arrivedAt = NOW): Change => ({ _tag: "Received", message: message(uid, { arrivedAt }) });
const moved = (uid: number, fromFolderId: string): Change => ({ _tag: "Moved", message: message(uid), fromFolderId });
const deleted = (uid: number): Change => ({ _tag: "Deleted", message: message(uid) });
const flagged = (uid: number): Change => ({ _tag: "FlagsChanged", message: message(uid), changed: ["flagged"] });
const settled = (folderId: string, changes: ReadonlyArray<Change>): SettledFolder => ({
  id: folderId,
  folderId,
  before: cursorAt(10, 7),
  sync: { cursor: cursorAt(20, 8), seenFrom: 1, changes, reset: false, remember: [], forget: [] },
  changes,
});
const dataOf = ({ body }: MailEvent) => JSON.parse(new TextDecoder().decode(body)).data;

describe("the events that stand for a move", () => {
  const standIns = (placed: PlacedChange) => standInEvents(["left", "came"], ACCOUNT, placed, "m1", NOW);

  it.effect("are a deletion in the folder that the message left, and an arrival in the other one [S7.11-8]", () =>
    Effect.sync(() => {
      const [left, came, ...more] = standIns({ change: moved(5, "bills"), folder: INBOX, from: BILLS });
      expect(more).toEqual([]);
      expect(left).toMatchObject({
        id: "left",
        account: ME,
        type: "email.deleted",
        occurredAt: NOW,
        folders: ["f_bills", "inbox"],
        standsForMove: true,
      });
      expect(dataOf(left!)).toEqual({ id: "m1", folder: "Work/Bills", uid: 5, moved: true });
      expect(came).toMatchObject({
        id: "came",
        account: ME,
        type: "email.received",
        occurredAt: NOW,
        folders: ["inbox", "f_bills"],
        standsForMove: true,
      });
      expect(dataOf(came!)).toMatchObject({ id: "m1", folder: "INBOX", uid: 5, moved: true });
    }),
  );

  it.effect("are none for another change, or for a message that is back in its folder", () =>
    Effect.sync(() => {
      expect(standIns({ change: received(5), folder: INBOX, from: BILLS })).toEqual([]);
      expect(standIns({ change: moved(5, "x"), folder: INBOX })).toEqual([]);
      expect(standIns({ change: moved(5, "inbox"), folder: INBOX, from: INBOX })).toEqual([]);
    }),
  );
});

describe("changes of several folders", () => {
  const placesOf = (...folders: ReadonlyArray<SettledFolder>) =>
    placeChanges(folders, [INBOX, BILLS]).map(
      ({ change, folder, from, ref }) =>
        `${change._tag} ${folder.path} ${from?.id ?? "-"} ${from?.path ?? "-"} ${ref.folderId} ${ref.uidValidity} ${ref.uid}`,
    );

  it.effect("have the folder of each, and the location: of a deleted message, the last one", () =>
    Effect.sync(() => {
      expect(
        placesOf(settled("inbox", [deleted(3), flagged(4), moved(5, "bills")]), settled("bills", [moved(6, "gone")])),
      ).toEqual([
        "Deleted INBOX - - inbox 7 3",
        "FlagsChanged INBOX - - inbox 8 4",
        "Moved INBOX f_bills Work/Bills inbox 8 5",
        "Moved Work/Bills gone  bills 8 6",
      ]);
    }),
  );

  it.effect("end with the arrivals: of several folders the oldest first, of one folder as they came", () =>
    Effect.sync(() => {
      const inbox = settled("inbox", [received(3, 30), received(4, 10), deleted(1)]);
      expect(placesOf(inbox).map((one) => one.slice(-1))).toEqual(["1", "3", "4"]);
      expect(placesOf(inbox, settled("bills", [flagged(2)])).map((one) => one.slice(-1))).toEqual(["1", "2", "3", "4"]);
      expect(placesOf(inbox, settled("bills", [received(5, 20)])).map((one) => one.slice(-1))).toEqual([
        "1",
        "4",
        "5",
        "3",
      ]);
    }),
  );
});

/** Services with these left locations; returns what is published and which mailboxes are asked for. */
const world = (left: ReadonlyArray<LeftLocation> = []) => {
  const events: Array<MailEvent> = [];
  const asked: Array<unknown> = [];
  const layer = Layer.mergeAll(
    Layer.mock(MovedMessages, {
      find: (_, places) => Effect.sync(() => (asked.push(...places), { left, isMoving: false })),
    }),
    Layer.mock(EventPublisher, { publish: (all) => Effect.sync(() => (events.push(...all), [])) }),
    readableIds,
    numberedIds,
  );
  return { events, asked, on: Effect.provide(announcementServices, layer) };
};
const at = (folderId: string, uid: number, uidValidity = 8) => ({ folderId, uidValidity, uid });

describe("the folder that an arrived message left by a move of Postern", () => {
  it.effect("is known by its new location, unless only its UID changed", () =>
    Effect.gen(function* () {
      const { on, asked } = world([
        { from: at("bills", 2), now: at("inbox", 5), id: at("bills", 2) },
        { from: at("inbox", 3, 7), now: at("inbox", 6), id: at("inbox", 3, 7) },
      ]);
      const found = yield* findOwnMoves(yield* on, ME, [settled("inbox", [received(5), received(6), deleted(4)])]);
      expect([...found]).toEqual([["5 8 inbox", "bills"]]);
      expect(asked).toEqual([{ folderId: "inbox", uidValidity: 8, uids: [5, 6] }]);
    }),
  );

  it.effect("is not looked for without an arrival", () =>
    Effect.gen(function* () {
      const { on, asked } = world();
      expect((yield* findOwnMoves(yield* on, ME, [settled("inbox", [deleted(4), flagged(3)])])).size).toBe(0);
      expect(asked).toEqual([]);
    }),
  );
});

describe("an announcement", () => {
  const typesOf = (change: Change, folder: typeof INBOX, own: ReadonlySet<string>) =>
    Effect.gen(function* () {
      const { on, events } = world();
      yield* TestClock.setTime(NOW);
      const placed = placeChanges([settled(folder.key, [change])], [INBOX, BILLS, { ...BILLS, id: "f_a", key: "a" }]);
      yield* announce(yield* on, ME, placed, own);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      return events.map(({ type }) => type);
    });
  const OWN = new Set(["5 8 inbox", "5 8 bills"]);
  const NONE = new Set<string>();

  it.effect(
    "of a move has the events that stand for it, but a move by Postern to INBOX is not announced as new mail",
    () =>
      Effect.gen(function* () {
        const all = ["email.moved", "email.deleted", "email.received"];
        expect(yield* typesOf(moved(5, "bills"), INBOX, NONE)).toEqual(all);
        expect(yield* typesOf(moved(5, "bills"), INBOX, new Set(["6 8 inbox"]))).toEqual(all);
        expect(yield* typesOf(moved(5, "bills"), INBOX, OWN)).toEqual(["email.moved", "email.deleted"]);
        expect(yield* typesOf(moved(5, "a"), BILLS, OWN)).toEqual(all);
        expect(yield* typesOf(received(5), INBOX, OWN)).toEqual(["email.received"]);
      }),
  );

  it.effect("names the message by its first location, and nothing is read or published without a change", () =>
    Effect.gen(function* () {
      const { on, events, asked } = world([{ from: at("bills", 2), now: at("inbox", 5), id: at("bills", 2) }]);
      yield* announce(yield* on, ME, placeChanges([settled("inbox", [flagged(5), deleted(4)])], [INBOX]), NONE);
      expect(events.map((event) => dataOf(event).id)).toEqual([
        JSON.stringify([ME, "bills", 8, 2]),
        JSON.stringify([ME, "inbox", 7, 4]),
      ]);
      expect(asked).toHaveLength(2);
      const quiet = world();
      yield* announce(yield* quiet.on, ME, [], NONE);
      expect([quiet.events, quiet.asked]).toEqual([[], []]);
    }),
  );
});
