import { Effect, Fiber, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { CredentialRelease } from "../../src/auth/index.ts";
import { type FolderRemoval, FolderRemovals, FolderRemover, Folders } from "../../src/folders/index.ts";
import type { Lease } from "../../src/shared/index.ts";
import { type FolderServer, ME } from "./server-in-memory.ts";

export const NOW = 1_900_000_000_000;
export const HIDDEN = "postern-removal-1";

/** The journal of removals of `Old`, with the leases of other workers. */
export const removalWorld = (server: FolderServer) => {
  const state = {
    rows: new Map<string, FolderRemoval>(),
    leases: new Map<string, Lease>(),
    released: 0,
    forgotten: [] as Array<number>,
  };
  const isFree = (id: string, now: number) => (state.leases.get(id)?.until ?? 0) <= now;
  const claim = (id: string, now: number, lease: Lease) => {
    const row = state.rows.get(id);
    if (row === undefined || !isFree(id, now)) return Option.none();
    state.leases.set(id, lease);
    return Option.some(row);
  };
  const journal = Layer.mock(FolderRemovals, {
    find: (_, folderId) =>
      Effect.sync(() => Option.fromUndefinedOr([...state.rows.values()].find((one) => one.folderId === folderId))),
    unfinished: () => Effect.sync(() => [...state.rows.values()].filter(({ phase }) => phase !== "finished")),
    claimOne: (id, now, lease) => Effect.sync(() => claim(id, now, lease)),
    claim: (now, lease, limit) =>
      Effect.sync(() =>
        [...state.rows.values()]
          .filter(({ phase, dueAt, id }) => phase !== "finished" && dueAt <= now && isFree(id, now))
          .slice(0, limit)
          .flatMap(({ id }) => Option.toArray(claim(id, now, lease))),
      ),
    renew: (ids) => Effect.sync(() => new Set(ids)),
    release: (ids, token) =>
      Effect.sync(() => {
        for (const id of ids) if (state.leases.get(id)?.token === token) state.leases.delete(id);
      }),
    save: (removal, token) =>
      Effect.sync(() => state.leases.get(removal.id)?.token === token && (state.rows.set(removal.id, removal), true)),
    forget: (id) => Effect.sync(() => void state.rows.delete(id)),
    forgetFinished: (before) => Effect.sync(() => void state.forgotten.push(before)),
    nextDue: Effect.succeedNone,
    changed: Effect.never,
  });
  const layer = FolderRemover.layer.pipe(
    Layer.provide(journal),
    Layer.provide(Layer.mock(CredentialRelease, { release: () => Effect.sync(() => void state.released++) })),
    Layer.provideMerge(server.layer),
  );
  /** Journals the removal of a folder that is on the server. */
  const begin = (fields: Partial<FolderRemoval> = {}) =>
    Effect.gen(function* () {
      const { records } = yield* (yield* Folders).sync(ME);
      const idOf = (path: string) => records.find((one) => one.path === path)?.id ?? "f_gone";
      const removal: FolderRemoval = {
        id: "r1",
        account: ME,
        folderId: idOf("Old"),
        path: "Old",
        uidValidity: server.boxes.get("Old")?.uidValidity ?? null,
        hiddenPath: HIDDEN,
        folders: records
          .filter(({ path }) => path.startsWith("Old"))
          .map(({ key, path, uidValidity }) => ({ id: key, path, uidValidity })),
        delimiter: "/",
        destination: { id: idOf("Dest"), path: "Dest" },
        phase: "hiding",
        moved: 0,
        remaining: 0,
        batch: null,
        begunAt: NOW,
        failures: 0,
        dueAt: NOW,
        reason: null,
        ...fields,
      };
      state.rows.set(removal.id, removal);
      return removal;
    });
  /** Runs with the remover at `NOW`, while the clock goes on. */
  const run = <A, E>(use: (remover: FolderRemover["Service"]) => Effect.Effect<A, E, Folders>, seconds = 60) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const running = yield* Effect.forkChild(Effect.exit(use(yield* FolderRemover)));
      yield* TestClock.adjust(`${seconds} seconds`);
      return yield* yield* Fiber.join(running);
    }).pipe(Effect.provide(layer), Effect.scoped);
  const carryOut = (fields: Partial<FolderRemoval> = {}, seconds = 60) =>
    run((remover) => Effect.flatMap(begin(fields), remover.carryOut), seconds);
  return { state, run, begin, carryOut };
};
