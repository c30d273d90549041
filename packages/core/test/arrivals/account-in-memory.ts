import { Effect, Fiber, Option } from "effect";
import { TestClock } from "effect/testing";
import { WatchLost } from "../../src/arrivals/errors.ts";
import { type FolderServices, followFolders } from "../../src/arrivals/follow-folders.ts";
import type { FolderRound, RoundRest } from "../../src/arrivals/FolderRound.ts";
import type { WatchedInbox } from "../../src/watch/index.ts";
import { ME, NOW } from "./inbox-in-memory.ts";

export const at = (uidNext: number) => ({ uidValidity: 1, uidNext, highestModSeq: 5 });

const idOf = (key: string) => (key === "drafts" ? key : `id of ${key}`);

/** An account that is followed with INBOX and these folders, all of them followed and unchanged. */
export const followedAccount = (...keys: ReadonlyArray<string>) => {
  const state = {
    keys: [...keys],
    /** Folders that another listing has, but that are not listed yet. */
    late: Array<string>(),
    known: new Map(["inbox", ...keys].map((key) => [key, { cursor: at(2), seenFrom: 1 }])) as Map<
      string,
      { cursor: ReturnType<typeof at>; seenFrom: number }
    > | null,
    standings: new Map(["INBOX", ...keys].map((path) => [path, at(2)])),
    hidden: Array<string>(),
    isAnnounced: true,
    isHeld: true,
    rests: Array<Partial<Record<keyof RoundRest, ReadonlyArray<string>>>>(),
    rounds: Array<Record<string, unknown>>(),
    listings: 0,
    begun: Array<unknown>(),
    announced: Array<ReadonlySet<string> | null>(),
    /** Reads of INBOX that were begun, and those that were confirmed. */
    reads: [0, 0],
  };
  const services = {
    arrivals: {
      syncRound: (_: string, __: unknown, { folders, gone, held, isWhole, unread, isBehind }: FolderRound) =>
        Effect.sync(() => {
          state.rounds.push({
            polled: folders.map(({ folder: { path } }) => path).join(),
            gone: gone.map(({ id, key, path }) => `${id} ${key} ${path}`),
            held: [...held],
            isWhole,
            unread: [...unread],
            isBehind,
          });
          const { held: now = [], unfinished = [], refused = [] } = state.rests.shift() ?? {};
          return { held: new Set(now), unfinished: new Set(unfinished), refused: new Set(refused) };
        }),
    },
    folders: {
      sync: (_: unknown, listing: WatchedInbox["folders"]) =>
        Effect.map(listing([]), () => {
          state.listings++;
          if (state.listings > 1) state.keys.push(...state.late.splice(0));
          return {
            folders: state.keys.map((key) => ({ id: idOf(key), key, path: key, selectable: true })),
            records: [
              { id: "inbox", key: "inbox", uidValidity: 1 },
              ...state.keys.map((key) => ({ id: idOf(key), key, uidValidity: 1 })),
            ],
          };
        }),
    },
    mailboxes: {
      listFollowed: () => Effect.sync(() => Option.fromNullishOr(state.known)),
      beginAll: (_: unknown, cursors: ReadonlyMap<string, unknown>) =>
        Effect.sync(() => {
          state.begun.push([...cursors]);
          state.known = new Map();
        }),
    },
    live: {
      startReading: () => {
        state.reads[0]!++;
        return () => void state.reads[1]!++;
      },
    },
    transaction: { run: (effect: Effect.Effect<void>) => effect },
    confirm: Effect.suspend(() => (state.isHeld ? Effect.void : Effect.fail(new WatchLost()))),
  } as unknown as FolderServices;
  const inbox = {
    announceAll: Effect.sync(() => state.isAnnounced),
    folders: () => Effect.sync(() => state.hidden.map((path) => ({ path, prefix: "" }))),
    standings: () => Effect.sync(() => [...state.standings].map(([path, cursor]) => ({ path, cursor, counts: null }))),
    changed: Effect.gen(function* () {
      while (state.announced.length === 0) yield* Effect.sleep("1 second");
      return state.announced.shift()!;
    }),
    mailbox: (path: string) => ({ path }),
  } as unknown as WatchedInbox;
  const watch = { account: ME } as Parameters<typeof followFolders>[2];
  const pass = Effect.fnUntraced(function* (seconds: number) {
    for (let n = 0; n < seconds; n++) yield* TestClock.adjust("1 second");
  });
  let onRound = 0;
  const follow = <A, E>(use: Effect.Effect<A, E>, catchesUp = false) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const following = yield* Effect.forkChild(
        followFolders(
          services,
          "node",
          watch,
          inbox,
          catchesUp,
          Effect.sync(() => void onRound++),
        ),
      );
      yield* pass(1);
      const result = yield* use;
      yield* Fiber.interrupt(following);
      return result;
    });
  return { state, follow, pass, finished: () => onRound };
};
