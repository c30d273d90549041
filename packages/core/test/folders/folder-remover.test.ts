import { it } from "@effect/vitest";
import { Effect, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { HIDDEN, NOW, removalWorld } from "./removal-journal.ts";
import { FolderServer } from "./server-in-memory.ts";

const DAY = 86_400_000;

const serverWith = (messages: number) => {
  const server = new FolderServer("Dest");
  server.add("Old", messages);
  return server;
};

describe("a removal", () => {
  it.effect("that is carried out is finished, and releases its lease and the credential", () =>
    Effect.gen(function* () {
      const server = serverWith(3);
      const { state, carryOut } = removalWorld(server);
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
        const { state, carryOut } = removalWorld(server);
        expect(yield* Effect.flip(carryOut())).toMatchObject({ _tag: "MailServerError", detail: "NO" });
        expect(state.rows.size).toBe(0);
        expect(server.events).not.toContain("folder.delete_failed");
      }),
  );

  it.effect("that fails later stays in the journal with the reason, and is resumed by the worker", () =>
    Effect.gen(function* () {
      const server = serverWith(1);
      server.refused.set(`move ${HIDDEN} 1 to Dest`, "broken");
      const { state, carryOut, run } = removalWorld(server);
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
      const { state, run, begin } = removalWorld(server);
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
      const { state, run, begin } = removalWorld(server);
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
      const { state, run, begin } = removalWorld(serverWith(0));
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
        const { state, run, begin } = removalWorld(serverWith(0));
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
    const { state, run } = removalWorld(serverWith(0));
    yield* run((remover) => remover.sweep);
    expect(state.forgotten).toEqual([NOW - DAY]);
  }),
);
