import { it } from "@effect/vitest";
import { Effect, Option } from "effect";
import { describe, expect } from "vitest";
import { HIDDEN, NOW, removalWorld } from "./removal-journal.ts";
import { FolderServer } from "./server-in-memory.ts";

const serverWith = (messages: number) => {
  const server = new FolderServer("Dest");
  server.add("Old", messages);
  return server;
};
const FAILED = "folder.delete_failed";

describe("a failed attempt at a removal", () => {
  it.effect("is repeated if the server did not answer, even before anything is hidden", () =>
    Effect.gen(function* () {
      const server = serverWith(0);
      server.refused.set("rename Old", "down");
      const { state, carryOut } = removalWorld(server);
      expect(yield* Effect.flip(carryOut())).toMatchObject({ reason: "unreachable" });
      expect(state.rows.get("r1")).toMatchObject({
        phase: "hiding",
        failures: 1,
        reason: "gone",
        dueAt: NOW + 10_000,
        moved: 0,
      });
      expect([server.events.includes(FAILED), state.leases.size, state.released]).toEqual([false, 0, 1]);
    }),
  );

  it.effect("is repeated if a part of the folders is hidden when the server refuses", () =>
    Effect.gen(function* () {
      const server = serverWith(0);
      server.add("Old/B");
      server.renamesChildren = false;
      server.refused.set("rename Old/B", "broken");
      const { state, carryOut } = removalWorld(server);
      expect(yield* Effect.flip(carryOut())).toMatchObject({ detail: "NO" });
      expect(server.paths).toContain(HIDDEN);
      expect(state.rows.get("r1")).toMatchObject({ phase: "hiding", failures: 1, reason: "NO" });
    }),
  );

  it.effect("is not repeated if the folder has got a subfolder since the request [S4.6-15]", () =>
    Effect.gen(function* () {
      const server = serverWith(1);
      server.add("Old/B");
      server.refused.set("rename Old", "down");
      const { state, run, begin } = removalWorld(server);
      yield* run((remover) =>
        Effect.gen(function* () {
          yield* Effect.flip(remover.carryOut(yield* begin()));
          server.refused.clear();
          server.add("Old/Keep", 2);
          yield* Effect.sleep("10 seconds");
          yield* remover.worker.runDue;
        }),
      );
      expect(server.paths).toEqual(["INBOX", "Dest", "Old", "Old/B", "Old/Keep"]);
      expect([state.rows.size, server.events.filter((one) => one === FAILED)]).toEqual([0, [FAILED]]);
    }),
  );

  it.effect("is repeated for the part that is not hidden yet, without subfolders made since the request", () =>
    Effect.gen(function* () {
      const server = serverWith(1);
      server.add("Old/B", 1);
      server.renamesChildren = false;
      server.refused.set("rename Old/B", "down");
      const { run, begin } = removalWorld(server);
      yield* run((remover) =>
        Effect.gen(function* () {
          yield* Effect.flip(remover.carryOut(yield* begin()));
          server.refused.clear();
          server.add("Old/Keep", 2);
          yield* Effect.sleep("10 seconds");
          yield* remover.worker.runDue;
        }),
      );
      expect(server.paths).toEqual(["INBOX", "Dest", "Old/Keep"]);
      expect([server.boxes.get("Dest")?.messages, server.boxes.get("Old/Keep")?.messages]).toEqual([2, 2]);
    }),
  );

  it.effect("that is refused is reported by an event if no client waits for it", () =>
    Effect.gen(function* () {
      const server = serverWith(0);
      server.refused.set("rename Old", "broken");
      const { state, run, begin } = removalWorld(server);
      yield* run((remover) => Effect.andThen(begin(), remover.worker.runDue));
      expect([state.rows.size, server.events.filter((one) => one === FAILED)]).toEqual([0, [FAILED]]);
    }),
  );

  it.effect.each([
    ["down", "hiding", 59, true],
    ["broken", "hiding", 59, false],
    ["broken", "hiding", 0, false],
  ] as const)(
    "that is the last one (%s, %s, %d) is reported by an event unless the client is told of a refusal: %s",
    ([refusal, phase, failures, isReported]) =>
      Effect.gen(function* () {
        const server = new FolderServer("Old");
        server.refused.set("create Dest", refusal);
        const { state, carryOut } = removalWorld(server);
        yield* Effect.flip(carryOut({ phase, failures }));
        expect([state.rows.size, server.events.includes(FAILED)]).toEqual([0, isReported]);
      }),
  );

  it.effect("to rename the folder back is the last one after 240, and is reported", () =>
    Effect.gen(function* () {
      for (const [failures, rows] of [
        [238, 1],
        [239, 0],
      ] as const) {
        const server = new FolderServer("Dest");
        server.add(HIDDEN, 1);
        server.refused.set(`rename ${HIDDEN}`, "broken");
        const { state, carryOut } = removalWorld(server);
        yield* Effect.flip(carryOut({ phase: "restoring", failures, reason: "full" }));
        expect([state.rows.size, server.events.includes(FAILED)]).toEqual([rows, rows === 0]);
      }
    }),
  );

  it.effect("whose folder was renamed back fails with the reason of the removal", () =>
    Effect.gen(function* () {
      for (const [reason, detail] of [
        ["NO space", "NO space"],
        [null, "the folder was not removed"],
      ] as const) {
        const server = new FolderServer("Dest");
        server.add(HIDDEN, 1);
        const { state, carryOut } = removalWorld(server);
        expect(yield* Effect.flip(carryOut({ phase: "emptying", failures: 60, reason }))).toMatchObject({
          _tag: "MailServerError",
          reason: "protocol",
          operation: "remove",
          detail,
        });
        expect([server.paths, state.rows.size]).toEqual([["INBOX", "Dest", "Old"], 0]);
      }
    }),
  );

  it.effect("that loses its lease is made again once the lease is free", () =>
    Effect.gen(function* () {
      const { state, run, begin } = removalWorld(serverWith(1));
      const lost = { token: "other", until: NOW + 5_000 };
      const set = state.rows.set.bind(state.rows);
      const ended = yield* run((remover) =>
        Effect.gen(function* () {
          const removal = yield* begin();
          // Another worker takes the lease as soon as this attempt has saved its first step.
          state.rows.set = (id, row) => {
            state.rows.set = set;
            state.leases.set(id, lost);
            return set(id, row);
          };
          return yield* remover.carryOut(removal);
        }),
      );
      expect(Option.getOrThrow(ended)).toMatchObject({ phase: "finished", failures: 0, reason: null });
    }),
  );

  it.effect("moves the messages to a destination that it had to create again, by its new id", () =>
    Effect.gen(function* () {
      const server = new FolderServer();
      server.add("Old", 1);
      const { carryOut } = removalWorld(server);
      const { destination } = Option.getOrThrow(yield* carryOut());
      expect(destination).toEqual({ id: server.records.find(({ path }) => path === "Dest")!.id, path: "Dest" });
      expect(server.settled).toEqual([expect.stringMatching(` 1 in ${destination!.id}$`)]);
    }),
  );
});

describe("the batch of another removal to the same folder", () => {
  const OTHER = "postern-removal-2";
  /** Carries out a removal while another one has a batch, whose command the server refuses. */
  const beside = (refused: string) => {
    const server = serverWith(1);
    server.add(OTHER, 2);
    server.refused.set(refused, "broken");
    const { state, run, begin } = removalWorld(server);
    const ended = run((remover) =>
      Effect.gen(function* () {
        const batch = { mailbox: OTHER, lastUid: 2, count: 2, copiedFrom: 1 };
        const other = { id: "r2", folderId: "f_2", path: "Other", hiddenPath: OTHER, phase: "emptying" } as const;
        yield* begin({ ...other, batch });
        return yield* remover.carryOut(yield* begin());
      }),
    );
    return Effect.map(Effect.result(ended), ({ _tag }) => [
      _tag,
      state.rows.get("r1")?.phase,
      state.rows.get("r2")?.batch === null,
      server.boxes.get("Dest")?.messages,
    ]);
  };

  it.effect("must be completed first", () =>
    Effect.gen(function* () {
      expect(yield* beside(`move ${OTHER} 2 to Dest`)).toEqual(["Failure", "emptying", false, 0]);
    }),
  );

  it.effect("is complete even if the other removal fails afterwards", () =>
    Effect.gen(function* () {
      expect(yield* beside(`remove ${OTHER}`)).toEqual(["Success", "finished", true, 3]);
    }),
  );
});
