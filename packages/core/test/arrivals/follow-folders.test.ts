import { assert, it } from "@effect/vitest";
import { Effect, Fiber, Option } from "effect";
import { TestClock } from "effect/testing";
import { type FolderServices, followFolders } from "../../src/arrivals/follow-folders.ts";
import type { ReadFolder } from "../../src/arrivals/poll-folder.ts";
import type { WatchedInbox } from "../../src/watch/index.ts";
import type { WatchedMailbox } from "../../src/watch/neighbours.ts";
import { ME } from "./inbox-in-memory.ts";

it.effect("records before its first round, a folder by one mailbox, which reads the list of its UIDs once", () =>
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
            folders: [...left.keys()].map((id) => ({ id, path: id, selectable: true })),
            records: [...left.keys()].map((id) => ({ id, uidValidity: 1 })),
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
