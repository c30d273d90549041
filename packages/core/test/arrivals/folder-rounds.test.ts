import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { ArrivalSync } from "../../src/arrivals/ArrivalSync.ts";
import type { FolderRound } from "../../src/arrivals/FolderRound.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { yieldToOthers } from "../../src/shared/index.ts";
import { FollowedMailboxes, type InboxPoll, type SeenMessage } from "../../src/watch/index.ts";
import type { FollowedMailbox, WatchedMailbox } from "../../src/watch/neighbours.ts";
import { cursorAt, followed, inboxOf, message, NOW, QUIET, seenOf, WATCH } from "./inbox-in-memory.ts";

const inbox = { id: "inbox", key: "inbox", path: "INBOX" };
const folderOf = (key: string) => ({ id: `f_${key}`, key, path: key });

/** The followed folders of an account, with the recorded messages of each. */
const world = (folders: Readonly<Record<string, ReadonlyArray<SeenMessage>>>) => {
  const { state, layer } = followed(null);
  const known = new Map<string, FollowedMailbox>();
  const seen = new Map<string, Map<number, SeenMessage>>();
  const begin = (key: string, messages: ReadonlyArray<SeenMessage>, uidNext = 10) => {
    known.set(key, { cursor: cursorAt(uidNext), seenFrom: 1 });
    seen.set(key, new Map(messages.map((one) => [one.uid, one])));
  };
  for (const [key, messages] of Object.entries(folders)) begin(key, messages);
  const saved: Array<string> = [];
  const mailboxes = Layer.mock(FollowedMailboxes, {
    find: (_, key) => Effect.sync(() => Option.fromUndefinedOr(known.get(key))),
    begin: (_, key) => Effect.sync(() => begin(key, [], 1)),
    end: (_, key) =>
      Effect.sync(() => {
        saved.push(`end ${key}`);
        known.delete(key);
      }),
    save: (_, key, { cursor, seenFrom, remember, forget }) =>
      Effect.sync(() => {
        saved.push(key);
        known.set(key, { cursor, seenFrom });
        for (const uid of forget) seen.get(key)?.delete(uid);
        for (const one of remember) seen.get(key)?.set(one.uid, one);
      }),
    listSeenFrom: (_, key, uid) =>
      Effect.sync(() => [...(seen.get(key)?.values() ?? [])].filter((one) => one.uid >= uid).slice(0, 2)),
    findSeen: (_, key, uids) =>
      Effect.sync(
        () => new Map([...(seen.get(key) ?? [])].filter(([uid]) => (uids as ReadonlyArray<number>).includes(uid))),
      ),
    findAlike: (_, sizes) =>
      Effect.sync(() =>
        [...seen].flatMap(([folderId, all]) =>
          [...all.values()].filter(({ size }) => sizes.includes(size)).map((one) => ({ folderId, message: one })),
        ),
      ),
    listExpected: () => Effect.succeed([]),
    recordLeft: () => Effect.void,
    findLeft: () => Effect.succeed([]),
  });
  const round = (more: Partial<FolderRound>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      saved.length = 0;
      state.events.length = 0;
      const rest = { folders: [], gone: [], present: [], held: new Set<string>(), isWhole: true, isBehind: false };
      const { syncRound } = yield* ArrivalSync;
      const after = yield* syncRound("node", WATCH, { ...rest, unread: new Set(), ...more });
      return {
        held: [...after.held],
        unfinished: [...after.unfinished],
        refused: [...after.refused],
        saved: [...saved],
        events: state.events.map(({ event, data }) => `${event} ${data.folder} ${data.uid}`),
      };
    }).pipe(Effect.provide(Layer.provide(ArrivalSync.layer, Layer.merge(layer, mailboxes))));
  return { state, known, seen, round };
};

const polled = (key: string, poll: Partial<InboxPoll> = {}) => ({
  folder: key === "inbox" ? inbox : folderOf(key),
  mailbox: inboxOf([{ ...QUIET, ...poll } as InboxPoll]) as WatchedMailbox,
});
const arrives = (key: string, ...uids: ReadonlyArray<number>) =>
  polled(key, { cursor: cursorAt(Math.max(...uids) + 1), arrived: uids.map((uid) => message(uid)) });
const moved = { ...message(5), uid: 10 };

describe("a round of polls of an account's folders", () => {
  it.effect("announces arrivals at once, and departures after a second complete round [S7.11-4]", () =>
    Effect.gen(function* () {
      const { round, known } = world({ inbox: [], a: [seenOf(message(3))], b: [] });
      const folders = [arrives("inbox", 10), polled("b"), polled("a", { vanished: [3] })];
      const first = yield* round({ folders });
      expect(first).toEqual({
        held: [expect.stringContaining(" a")],
        unfinished: ["a"],
        refused: [],
        saved: ["inbox"],
        events: ["email.received INBOX 10"],
      });
      // A second complete round does not find the message that left.
      const held = new Set(first.held);
      const second = yield* round({ held, folders: [polled("a", { vanished: [3] })] });
      expect(second).toEqual({ held: [], unfinished: [], refused: [], saved: ["a"], events: ["email.deleted a 3"] });
      expect(known.get("inbox")?.cursor).toEqual(cursorAt(11));
    }),
  );

  it.effect("announces a message that left one folder and came to another as moved", () =>
    Effect.gen(function* () {
      const { round, state, seen } = world({ a: [seenOf(message(5))], b: [] });
      const folders = [polled("b", { cursor: cursorAt(11), arrived: [moved] }), polled("a", { vanished: [5] })];
      const { held, unfinished, saved, events } = yield* round({ folders });
      expect({ held, unfinished, saved, events }).toEqual({
        held: [],
        unfinished: [],
        saved: ["a", "b"],
        // The other two stand for the move, for readers of one of the folders.
        events: ["email.moved b 10", "email.deleted a 10", "email.received b 10"],
      });
      expect(state.moved).toMatchObject([
        { from: { folderId: "a", uidValidity: 7, uid: 5 }, now: { folderId: "b", uidValidity: 7, uid: 10 } },
      ]);
      expect([...seen.get("a")!.keys(), ...seen.get("b")!.keys()]).toEqual([10]);
    }),
  );

  it.effect("names the folder that Postern moved a message from, though it does not poll that folder [S7.2-1]", () =>
    Effect.gen(function* () {
      const { round, state } = world({ a: [seenOf(message(5))], b: [] });
      const [from, now] = [5, 10].map((uid) => ({ folderId: uid === 5 ? "a" : "b", uidValidity: 7, uid }));
      state.moved.push({ from: from!, now: now!, id: from! });
      const folders = [polled("b", { cursor: cursorAt(11), arrived: [moved] })];
      const both = { folders, present: [folderOf("a"), folderOf("b")] };
      const { held } = yield* round(both);
      yield* round({ ...both, held: new Set(held) });
      expect(state.events[0]).toMatchObject({ event: "email.moved", data: { fromFolder: "a" } });
    }),
  );

  it.effect.each<readonly [string, Partial<FolderRound>]>([
    ["does not cover all folders", { isWhole: false }],
    ["could not poll one", { unread: new Set(["c"]) }],
    ["has more arrivals to read", { folders: [polled("c", { more: true } as Partial<InboxPoll>)] }],
  ])("holds what left a folder while the round %s", ([, more]) =>
    Effect.gen(function* () {
      const { round } = world({ a: [seenOf(message(3))], c: [] });
      const left = polled("a", { vanished: [3] });
      const folders = [left, ...(more.folders ?? [])];
      const { held } = yield* round({ ...more, folders });
      const again = yield* round({ ...more, folders, held: new Set(held) });
      expect([again.held, again.events, again.saved]).toEqual([held, [], []]);
      expect(again.unfinished).toContain("a");
    }),
  );

  it.effect("begins a new folder with all its messages as arrivals", () =>
    Effect.gen(function* () {
      const { round, known } = world({ inbox: [] });
      const { events } = yield* round({ folders: [arrives("new", 1, 2)] });
      expect(events).toEqual(["email.received new 1", "email.received new 2"]);
      expect(known.get("new")?.cursor).toEqual(cursorAt(3));
    }),
  );

  it.effect("goes on without a folder that the server does not open, and with no other failure", () =>
    Effect.gen(function* () {
      const closed = (reason: "protocol" | "not_permitted" | "timeout", folder = folderOf("a")) => ({
        folder,
        mailbox: {
          ...inboxOf([QUIET]),
          poll: () => new MailServerError({ reason, operation: "select", detail: "NO" }),
        } as WatchedMailbox,
      });
      const { round } = world({ a: [], inbox: [] });
      for (const reason of ["protocol", "not_permitted"] as const) {
        const { refused, events } = yield* round({ folders: [closed(reason), polled("inbox")] });
        expect([refused, events]).toEqual([["a"], []]);
      }
      for (const folders of [[closed("timeout")], [closed("protocol", inbox)]])
        expect(yield* Effect.flip(round({ folders }))).toMatchObject({ _tag: "MailServerError" });
    }),
  );
});

describe("a followed folder that is gone", () => {
  it.effect("has its messages announced as deleted, and is no longer followed", () =>
    Effect.gen(function* () {
      const { round, known } = world({ a: [seenOf(message(3)), seenOf(message(4)), seenOf(message(5))], b: [] });
      const gone = [folderOf("a"), folderOf("never")];
      const first = yield* round({ gone });
      expect([first.events, first.saved, first.unfinished]).toEqual([[], [], ["a"]]);
      const { events, saved, unfinished } = yield* round({ gone, held: new Set(first.held) });
      expect(events).toEqual(["email.deleted a 3", "email.deleted a 4", "email.deleted a 5"]);
      expect([saved, unfinished, known.has("a")]).toEqual([["end a"], [], false]);
    }),
  );

  it.effect("is ended at once if Postern moved its messages", () =>
    Effect.gen(function* () {
      const { round, state } = world({ a: [seenOf(message(3))], b: [] });
      const at = (folderId: string, uid: number) => ({ folderId, uidValidity: 7, uid });
      state.moved.push({ from: at("a", 3), now: at("b", 9), id: at("a", 3) });
      const { events, saved, held } = yield* round({ gone: [folderOf("a")] });
      expect([events, saved, held]).toEqual([[], ["end a"], []]);
    }),
  );
});

it.effect("a round that is behind announces 50 arrivals, and waits before the next one", () =>
  Effect.gen(function* () {
    const { round, known } = world({ a: [] });
    const uids = Array.from({ length: 51 }, (_, n) => n + 10);
    const running = yield* Effect.forkChild(round({ isBehind: true, folders: [arrives("a", ...uids)] }));
    yield* Effect.repeat(yieldToOthers, { times: 99 });
    expect(known.get("a")?.cursor).toEqual(cursorAt(60));
    expect(running.pollUnsafe()).toBeUndefined();
    yield* TestClock.adjust("1 minute");
    const { events, unfinished } = yield* Fiber.join(running);
    expect([events.length, unfinished]).toEqual([50, ["a"]]);
    const rest = yield* round({ isBehind: true, folders: [arrives("a", 60)] });
    expect([rest.events, rest.unfinished]).toEqual([["email.received a 60"], []]);
  }),
);

it.effect("a round writes nothing if the node has lost the watch", () =>
  Effect.gen(function* () {
    const { round, state, known } = world({ a: [] });
    state.isHeld = false;
    expect(yield* Effect.flip(round({ folders: [arrives("a", 10)] }))).toMatchObject({ _tag: "WatchLost" });
    expect([state.events, known.get("a")?.cursor]).toEqual([[], cursorAt(10)]);
  }),
);
