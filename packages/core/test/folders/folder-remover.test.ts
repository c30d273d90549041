import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { CredentialRelease } from "../../src/auth/index.ts";
import { type FolderRemoval, FolderRemovals, FolderRemover, Folders } from "../../src/folders/index.ts";
import type { Lease } from "../../src/shared/index.ts";
import { FolderServer, ME } from "./server-in-memory.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;
const HIDDEN = "postern-removal-1";

/** The journal of removals of `Old`, with the leases of other workers. */
const world = (server: FolderServer) => {
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
        folders: [],
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
const serverWith = (messages: number) => {
  const server = new FolderServer("Dest");
  server.add("Old", messages);
  return server;
};

describe("a removal", () => {
  it.effect("that is carried out is finished, and releases its lease and the credential", () =>
    Effect.gen(function* () {
      const server = serverWith(3);
      const { state, carryOut } = world(server);
      const ended = yield* carryOut();
      expect(Option.getOrThrow(ended)).toMatchObject({ phase: "finished", moved: 3 });
      expect(server.paths).toEqual(["INBOX", "Dest"]);
      expect([state.rows.get("r1")?.phase, state.leases.size, state.released]).toEqual(["finished", 0, 1]);
      expect(server.events).not.toContain("folder.delete_failed");
    }),
  );

  it.effect(
    "that is refused before anything is hidden ends with the refusal, which the client gets as its answer",
    () =>
      Effect.gen(function* () {
        const server = serverWith(0);
        server.refused.set("rename Old", "broken");
        const { state, carryOut } = world(server);
        expect(yield* Effect.flip(carryOut())).toMatchObject({ _tag: "MailServerError", detail: "NO" });
        expect(state.rows.size).toBe(0);
        expect(server.events).not.toContain("folder.delete_failed");
      }),
  );

  it.effect("that fails later stays in the journal with the reason, and is resumed by the worker", () =>
    Effect.gen(function* () {
      const server = serverWith(1);
      server.refused.set(`move ${HIDDEN} 1 to Dest`, "broken");
      const { state, carryOut, run } = world(server);
      expect(yield* Effect.flip(carryOut())).toMatchObject({ detail: "NO" });
      expect(state.rows.get("r1")).toMatchObject({ phase: "emptying", failures: 1, reason: "NO", dueAt: NOW + 10_000 });
      server.refused.clear();
      const due = (now: number) => run((remover) => Effect.andThen(TestClock.setTime(now), remover.worker.runDue));
      expect([yield* due(NOW + 9_999), yield* due(NOW + 10_000)]).toEqual([0, 1]);
      expect([state.rows.get("r1")?.phase, server.boxes.get("Dest")?.messages]).toEqual(["finished", 1]);
    }),
  );

  it.effect("that the worker gives up is renamed back and reported", () =>
    Effect.gen(function* () {
      const server = new FolderServer("Dest");
      server.add(HIDDEN, 4);
      const { state, run, begin } = world(server);
      yield* run((remover) =>
        Effect.andThen(begin({ phase: "emptying", failures: 60, reason: "NO" }), remover.worker.runDue),
      );
      expect(server.paths).toContain("Old");
      expect(server.events).toContain("folder.delete_failed");
      expect(state.rows.size).toBe(0);
    }),
  );

  it.effect("completes the batches of other removals to the same folder first", () =>
    Effect.gen(function* () {
      const server = serverWith(1);
      server.add("postern-removal-2", 2);
      const { state, run, begin } = world(server);
      const batch = { mailbox: "postern-removal-2", lastUid: 2, count: 2, copiedFrom: 1 };
      yield* run((remover) =>
        Effect.gen(function* () {
          const other = {
            id: "r2",
            folderId: "f_2",
            path: "Other",
            hiddenPath: "postern-removal-2",
            phase: "emptying",
          } as const;
          yield* begin({ ...other, batch });
          yield* begin({ ...other, id: "r3", folderId: "f_3", hiddenPath: "postern-removal-3" });
          yield* remover.carryOut(yield* begin());
        }),
      );
      const moves = server.log.filter((one) => one.startsWith("move"));
      expect(moves).toEqual(["move postern-removal-2 2 to Dest", `move ${HIDDEN} 1 to Dest`]);
      expect([state.rows.get("r2")?.phase, state.rows.get("r3")?.phase]).toEqual(["finished", "emptying"]);
    }),
  );
});

describe("a removal that another worker has", () => {
  it.effect("is waited for, and the folder is not found once that worker has finished", () =>
    Effect.gen(function* () {
      const { state, run, begin } = world(serverWith(0));
      const ended = yield* run((remover) =>
        Effect.gen(function* () {
          const removal = yield* begin();
          state.leases.set("r1", { token: "other", until: Infinity });
          yield* Effect.forkChild(
            Effect.delay(
              Effect.sync(() => state.rows.clear()),
              "5 seconds",
            ),
          );
          return yield* remover.carryOut(removal);
        }),
      );
      expect(ended).toEqual(Option.none());
    }),
  );

  it.effect("is continued once its lease ends, or reported as busy after 30 seconds", () =>
    Effect.gen(function* () {
      for (const [until, told] of [
        [NOW + 9_000, "finished"],
        [Infinity, "busy"],
      ] as const) {
        const { state, run, begin } = world(serverWith(0));
        const ended = yield* run((remover) =>
          Effect.gen(function* () {
            const removal = yield* begin();
            state.leases.set("r1", { token: "other", until });
            return yield* remover.carryOut(removal);
          }),
        ).pipe(
          Effect.match({
            onFailure: (error) => ("reason" in error ? error.reason : error._tag),
            onSuccess: (one) => Option.getOrThrow(one).phase,
          }),
        );
        expect(ended).toBe(told);
      }
    }),
  );
});

it.effect("finished removals are kept for a day", () =>
  Effect.gen(function* () {
    const { state, run } = world(serverWith(0));
    yield* run((remover) => remover.sweep);
    expect(state.forgotten).toEqual([NOW - DAY]);
  }),
);
