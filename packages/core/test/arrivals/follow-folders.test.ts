import { assert, it } from "@effect/vitest";
import { Effect, Fiber, Option } from "effect";
import { TestClock } from "effect/testing";
import { type FolderServices, followFolders } from "../../src/arrivals/follow-folders.ts";
import type { ReadFolder } from "../../src/arrivals/poll-folder.ts";
import type { WatchedInbox } from "../../src/watch/index.ts";
import type { WatchedMailbox } from "../../src/watch/neighbours.ts";
import { ME } from "./inbox-in-memory.ts";

it.effect("records a folder before the first round through one mailbox, which reads the list of UIDs once", () =>
  Effect.gen(function* () {
    const opened: Array<string> = [];
    let firstRound: number | undefined;
    const recorded: Array<WatchedMailbox> = [];
    const left = new Map([
      ["f_1", 3],
      ["f_2", 2],
    ]);
    const state = (seenFrom: number) => ({ cursor: { uidValidity: 1, uidNext: 9, highestModSeq: null }, seenFrom });
    const services = {
      arrivals: {
        syncRound: () =>
          Effect.sync(() => {
            firstRound ??= recorded.length;
            return { held: new Set(), refused: new Set(), unfinished: new Set() };
          }),
        record: (_node: string, _watch: unknown, { folder, mailbox }: ReadFolder) =>
          Effect.gen(function* () {
            const { id } = folder;
            recorded.push(mailbox);
            left.set(id, left.get(id)! - 1);
            yield* Effect.sleep("1 second");
            return left.get(id) === 0;
          }),
      },
      folders: {
        sync: () =>
          Effect.succeed({
            folders: [...left.keys()].map((id) => ({ id, key: id, path: id, selectable: true })),
            records: [...left.keys()].map((id) => ({ id, key: id, uidValidity: 1 })),
          }),
      },
      mailboxes: {
        listFollowed: () =>
          Effect.sync(() => Option.some(new Map([...left].map(([id, more]) => [id, state(more + 1)])))),
      },
      live: { startReading: () => () => undefined },
    } as unknown as FolderServices;
    const inbox = {
      announceAll: Effect.succeed(false),
      standings: () => Effect.succeed([]),
      changed: Effect.never,
      mailbox: (path: string) => {
        opened.push(path);
        return { path } as unknown as WatchedMailbox;
      },
    } as unknown as WatchedInbox;
    const watch = { account: ME } as Parameters<typeof followFolders>[2];
    const following = yield* Effect.forkChild(followFolders(services, "node", watch, inbox, false, Effect.void));
    for (let n = 0; n < 20; n++) yield* TestClock.adjust("1 second");
    yield* Fiber.interrupt(following);
    assert.strictEqual(firstRound, 1);
    assert.lengthOf(recorded, 5);
    assert.strictEqual(new Set(recorded).size, 2);
    assert.deepStrictEqual(opened, ["f_1", "f_2"]);
  }),
);

/** Seconds between two checks, and the seconds in which two listings happen. */
const INTERVALS = [
  { isAnnounced: false, look: 20, listings: 300 },
  { isAnnounced: true, look: 120, listings: 1_400 },
];

it.effect.each(INTERVALS)(
  "polls and reads nothing after a check without changes, until the next listing: $isAnnounced",
  ({ isAnnounced, look, listings }) =>
    Effect.gen(function* () {
      const cursor = (uidNext: number) => ({ uidValidity: 1, uidNext, highestModSeq: 5 });
      let [standing, rounds, reads]: [number | undefined, number, number] = [9, 0, 0];
      const services = {
        arrivals: {
          syncRound: () =>
            Effect.sync(() => {
              rounds++;
              return { held: new Set(), refused: new Set(), unfinished: new Set() };
            }),
        },
        folders: {
          sync: () => Effect.succeed({ folders: [], records: [{ id: "inbox", key: "inbox", uidValidity: 1 }] }),
        },
        mailboxes: {
          listFollowed: () =>
            Effect.sync(() => {
              reads++;
              return Option.some(new Map([["inbox", { cursor: cursor(9), seenFrom: 1 }]]));
            }),
        },
        live: { startReading: () => () => undefined },
      } as unknown as FolderServices;
      const inbox = {
        announceAll: Effect.succeed(isAnnounced),
        standings: () =>
          Effect.sync(() =>
            standing === undefined ? [] : [{ path: "INBOX", cursor: cursor(standing), counts: null }],
          ),
        changed: Effect.never,
      } as unknown as WatchedInbox;
      const watch = { account: ME } as Parameters<typeof followFolders>[2];
      const following = yield* Effect.forkChild(followFolders(services, "node", watch, inbox, false, Effect.void));
      const roundsIn = Effect.fnUntraced(function* (seconds: number) {
        const before = rounds;
        for (let n = 0; n < seconds; n++) yield* TestClock.adjust("1 second");
        return rounds - before;
      });
      assert.strictEqual(yield* roundsIn(10), 0);
      reads = 0;
      assert.strictEqual(yield* roundsIn(90), 0);
      assert.strictEqual(reads, 0, "nothing is read of the store, where the server says the same again");
      standing = undefined;
      assert.strictEqual(yield* roundsIn(look), 1, "a server that says nothing of INBOX");
      standing = 10;
      assert.strictEqual(yield* roundsIn(look), 1, "another UIDNEXT");
      standing = 9;
      assert.strictEqual(yield* roundsIn(listings), 2);
      yield* Fiber.interrupt(following);
    }),
);

it.effect(
  "waits two seconds for a closed folder, and does not confirm the polls whose changes are held [S7.11-4]",
  () =>
    Effect.gen(function* () {
      let [rounds, confirmed] = [0, 0];
      const services = {
        arrivals: {
          syncRound: () =>
            Effect.sync(() => {
              const isHeld = ++rounds < 3;
              const [held, refused] = isHeld ? [["1 1 inbox"], ["f_1"]] : [[], []];
              return { held: new Set(held), refused: new Set(refused), unfinished: new Set(isHeld ? ["inbox"] : []) };
            }),
        },
        folders: {
          sync: () =>
            Effect.succeed({
              folders: [{ id: "f_1", key: "f_1", path: "f_1", selectable: true }],
              records: ["inbox", "f_1"].map((id) => ({ id, key: id, uidValidity: 1 })),
            }),
        },
        mailboxes: { listFollowed: () => Effect.succeedSome(new Map()) },
        live: { startReading: () => () => undefined },
      } as unknown as FolderServices;
      const standing = { path: "f_1", cursor: { uidValidity: 1, uidNext: 2, highestModSeq: 5 }, counts: null };
      const inbox = {
        announceAll: Effect.succeed(true),
        standings: () => Effect.succeed([standing]),
        changed: Effect.suspend(() => {
          confirmed++;
          return Effect.never;
        }),
        mailbox: (path: string) => ({ path }),
      } as unknown as WatchedInbox;
      const watch = { account: ME } as Parameters<typeof followFolders>[2];
      const following = yield* Effect.forkChild(followFolders(services, "node", watch, inbox, false, Effect.void));
      for (let n = 0; n < 3; n++) yield* TestClock.adjust("1 second");
      assert.deepStrictEqual([rounds, confirmed], [2, 0]);
      for (let n = 0; n < 3; n++) yield* TestClock.adjust("1 second");
      assert.deepStrictEqual([rounds, confirmed], [3, 1]);
      yield* Fiber.interrupt(following);
    }),
);

it.effect(
  "polls a folder that is again as it was at the last check, but was polled in between because of an announcement [S7.11-14]",
  () =>
    Effect.gen(function* () {
      const polled: Array<string> = [];
      let uidNext = 2;
      const cursor = () => ({ uidValidity: 1, uidNext, highestModSeq: null });
      const services = {
        arrivals: {
          syncRound: (_: string, __: unknown, { folders }: { folders: ReadonlyArray<{ folder: { path: string } }> }) =>
            Effect.sync(() => {
              polled.push(folders.map(({ folder }) => folder.path).join());
              return { held: new Set(), refused: new Set(), unfinished: new Set() };
            }),
        },
        folders: {
          sync: () =>
            Effect.succeed({
              folders: [{ id: "f_1", key: "f_1", path: "f_1", selectable: true }],
              records: ["inbox", "f_1"].map((id) => ({ id, key: id, uidValidity: 1 })),
            }),
        },
        mailboxes: {
          listFollowed: () => Effect.sync(() => Option.some(new Map([["f_1", { cursor: cursor(), seenFrom: 1 }]]))),
        },
        live: { startReading: () => () => undefined },
      } as unknown as FolderServices;
      let announced: ReadonlySet<string> = new Set();
      const inbox = {
        announceAll: Effect.succeed(true),
        standings: () => Effect.sync(() => [{ path: "f_1", cursor: cursor(), counts: "0 0" }]),
        changed: Effect.gen(function* () {
          while (announced.size === 0) yield* Effect.sleep("1 second");
          const heard = announced;
          announced = new Set();
          return heard;
        }),
        mailbox: (path: string) => ({ path }),
      } as unknown as WatchedInbox;
      const watch = { account: ME } as Parameters<typeof followFolders>[2];
      const following = yield* Effect.forkChild(followFolders(services, "node", watch, inbox, false, Effect.void));
      const pass = Effect.fnUntraced(function* (seconds: number) {
        for (let n = 0; n < seconds; n++) yield* TestClock.adjust("1 second");
      });
      yield* pass(10);
      polled.length = 0;
      // A message arrives, is announced and polled. It leaves, and no announcement comes.
      uidNext = 3;
      announced = new Set(["f_1"]);
      yield* pass(5);
      assert.deepStrictEqual(polled.splice(0), ["f_1,INBOX"]);
      yield* pass(120);
      assert.deepStrictEqual(polled, ["f_1,INBOX"]);
      yield* Fiber.interrupt(following);
    }),
);

it.effect(
  "checks all folders every two minutes if changes are announced, and every 20 seconds while a folder is closed [S7.11-14]",
  () =>
    Effect.gen(function* () {
      let [looks, isClosed] = [0, false];
      const services = {
        arrivals: {
          syncRound: () =>
            Effect.sync(() => ({ held: new Set(), refused: new Set(isClosed ? ["f_1"] : []), unfinished: new Set() })),
        },
        folders: {
          sync: () =>
            Effect.succeed({
              folders: [{ id: "f_1", key: "f_1", path: "f_1", selectable: true }],
              records: ["inbox", "f_1"].map((id) => ({ id, key: id, uidValidity: 1 })),
            }),
        },
        mailboxes: { listFollowed: () => Effect.succeedSome(new Map()) },
        live: { startReading: () => () => undefined },
      } as unknown as FolderServices;
      const standing = { path: "f_1", cursor: { uidValidity: 1, uidNext: 2, highestModSeq: 5 }, counts: null };
      const inbox = {
        announceAll: Effect.succeed(true),
        standings: () =>
          Effect.sync(() => {
            looks++;
            return [standing];
          }),
        changed: Effect.never,
        mailbox: (path: string) => ({ path }),
      } as unknown as WatchedInbox;
      const watch = { account: ME } as Parameters<typeof followFolders>[2];
      const following = yield* Effect.forkChild(followFolders(services, "node", watch, inbox, false, Effect.void));
      const looksIn = Effect.fnUntraced(function* (minutes: number) {
        const before = looks;
        for (let n = 0; n < minutes * 60; n++) yield* TestClock.adjust("1 second");
        return looks - before;
      });
      yield* looksIn(1);
      assert.strictEqual(yield* looksIn(10), 5);
      isClosed = true;
      yield* looksIn(2);
      assert.strictEqual(yield* looksIn(2), 6);
      isClosed = false;
      yield* looksIn(1);
      assert.strictEqual(yield* looksIn(10), 5);
      yield* Fiber.interrupt(following);
    }),
);

it.effect("finds a folder that the server has not opened for minutes again, at its next check [S7.11-15]", () =>
  Effect.gen(function* () {
    let [isOpen, polled]: [boolean, Array<string>] = [true, []];
    const cursor = (uidNext: number) => ({ uidValidity: 1, uidNext, highestModSeq: 5 });
    const services = {
      arrivals: {
        syncRound: (_node: string, _watch: unknown, { folders }: { readonly folders: ReadonlyArray<ReadFolder> }) =>
          Effect.sync(() => {
            polled.push(...folders.map(({ folder }) => folder.id));
            return { held: new Set(), refused: new Set(), unfinished: new Set() };
          }),
      },
      folders: {
        sync: () =>
          Effect.sync(() => ({
            folders: isOpen ? [{ id: "f_1", key: "f_1", path: "f_1", selectable: true }] : [],
            records: ["inbox", "f_1"].map((id) => ({ id, key: id, uidValidity: 1 })),
          })),
      },
      mailboxes: {
        listFollowed: () =>
          Effect.succeedSome(new Map(["inbox", "f_1"].map((id) => [id, { cursor: cursor(2), seenFrom: 1 }]))),
      },
      live: { startReading: () => () => undefined },
    } as unknown as FolderServices;
    const inbox = {
      announceAll: Effect.succeed(true),
      standings: (paths: ReadonlyArray<string>) =>
        Effect.sync(() => [
          { path: "INBOX", cursor: cursor(2), counts: null },
          ...(isOpen && paths.includes("f_1") ? [{ path: "f_1", cursor: cursor(3), counts: null }] : []),
        ]),
      changed: Effect.never,
      mailbox: (path: string) => ({ path }),
    } as unknown as WatchedInbox;
    const watch = { account: ME } as Parameters<typeof followFolders>[2];
    const following = yield* Effect.forkChild(followFolders(services, "node", watch, inbox, false, Effect.void));
    const seconds = Effect.fnUntraced(function* (count: number) {
      polled = [];
      for (let n = 0; n < count; n++) yield* TestClock.adjust("1 second");
      return new Set(polled);
    });
    isOpen = false;
    assert.notInclude([...(yield* seconds(300))], "f_1");
    isOpen = true;
    assert.include([...(yield* seconds(20))], "f_1");
    yield* Fiber.interrupt(following);
  }),
);
