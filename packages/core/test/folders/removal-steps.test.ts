import { it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { endRemoval, endRestoredRemoval, hidesMailboxes } from "../../src/folders/end-removal.ts";
import { type FolderRemoval, FolderRemovals, Folders } from "../../src/folders/index.ts";
import { folderWriter } from "../../src/folders/record-folders.ts";
import { removalPorts, type RemovalAttempt, takeSteps } from "../../src/folders/removal-steps.ts";
import { FolderServer, ME } from "./server-in-memory.ts";

const HIDDEN = "postern-removal-1";

/** Executes the steps of the removal of `Old`, and records each saved state. */
const steps = (server: FolderServer, fields: Partial<FolderRemoval> = {}) =>
  Effect.gen(function* () {
    const { records } = yield* (yield* Folders).sync(ME);
    const old = records.find(({ path }) => path === "Old");
    const dest = records.find(({ path }) => path === "Dest");
    const removal: FolderRemoval = {
      id: "r",
      account: ME,
      folderId: old?.id ?? "f_old",
      path: "Old",
      uidValidity: old?.uidValidity ?? null,
      hiddenPath: HIDDEN,
      folders: records.map(({ key, path, uidValidity }) => ({ id: key, path, uidValidity })),
      delimiter: "/",
      destination: { id: dest?.id ?? "f_dest", path: "Dest" },
      phase: "hiding",
      moved: 0,
      remaining: 0,
      batch: null,
      begunAt: 5,
      failures: 0,
      dueAt: 0,
      reason: null,
      ...fields,
    };
    const kept: Array<FolderRemoval> = [];
    const attempt: RemovalAttempt = {
      removal,
      hides: undefined,
      keep: (next) => Effect.sync(() => void kept.push(next)),
      check: Effect.sync(() => void server.log.push("check")),
      completeCopiesTo: (path) => Effect.sync(() => void server.log.push(`complete copies to ${path}`)),
    };
    server.log.length = 0;
    const run = yield* Effect.forkChild(Effect.exit(takeSteps(yield* removalPorts, attempt)));
    yield* TestClock.adjust("1 minute");
    const end = yield* yield* Fiber.join(run);
    return { end, attempt, kept };
  }).pipe(Effect.provide(server.layer));

const world = (messages: number, ...more: ReadonlyArray<string>) => {
  const server = new FolderServer("Dest", ...more);
  server.add("Old", messages);
  return server;
};

describe("the steps of a removal", () => {
  it.effect("hide the folder, move its messages in batches, and remove it after two empty rounds", () =>
    Effect.gen(function* () {
      const server = world(3);
      const { end, attempt, kept } = yield* steps(server);
      expect(end._tag).toBe("Removed");
      expect(server.paths).toEqual(["INBOX", "Dest"]);
      expect(server.boxes.get("Dest")?.messages).toBe(3);
      expect(attempt.removal).toMatchObject({ phase: "finished", moved: 3, remaining: 0, batch: null });
      expect(kept.at(-1)).toBe(attempt.removal);
      const id = attempt.removal.destination!.id;
      expect(server.log).toEqual([
        "check",
        "rename Old",
        "complete copies to Dest",
        `batch ${HIDDEN}`,
        `begin ${HIDDEN} {"upTo":2} in ${id}`,
        "check",
        `move ${HIDDEN} 2 to Dest`,
        "complete copies to Dest",
        `batch ${HIDDEN}`,
        `begin ${HIDDEN} {"upTo":1} in ${id}`,
        "check",
        `move ${HIDDEN} 1 to Dest`,
        ...Array.from({ length: 3 }, () => ["complete copies to Dest", `batch ${HIDDEN}`]).flat(),
        "check",
        `remove ${HIDDEN}`,
      ]);
      expect(attempt.hides).toBe(false);
      // The messages keep the ids that they had in the folder.
      const old = attempt.removal.folderId;
      expect(server.settled).toEqual([`${old} 1,2 in ${id}`, `${old} 1 in ${id}`]);
      // Each batch is saved before it is moved.
      expect(kept.filter(({ batch }) => batch !== null).map(({ batch, moved }) => [batch!.count, moved])).toEqual([
        [2, 0],
        [1, 2],
      ]);
    }),
  );

  it.effect("take subfolders too, the deepest first, and delete messages if there is no destination", () =>
    Effect.gen(function* () {
      const server = world(2);
      server.add("Old/B", 5);
      const { end } = yield* steps(server, { destination: null });
      expect(end._tag).toBe("Removed");
      expect(server.log.filter((one) => /^(remove|move)/.test(one))).toEqual([
        `remove ${HIDDEN}/B`,
        `remove ${HIDDEN}`,
      ]);
      expect(server.boxes.get("Dest")?.messages).toBe(0);
    }),
  );

  it.effect("record no ids for a mailbox that got another UIDVALIDITY when it was hidden", () =>
    Effect.gen(function* () {
      const server = world(1);
      const { attempt } = yield* steps(server, { folders: [{ id: "f_old", path: "Old", uidValidity: 99 }] });
      expect(server.settled).toEqual([`null 1 in ${attempt.removal.destination!.id}`]);
    }),
  );

  it.effect("continue with the batch that was begun, and count what is missing as moved", () =>
    Effect.gen(function* () {
      const server = new FolderServer("Dest");
      server.add(HIDDEN, 2);
      const batch = { mailbox: HIDDEN, lastUid: 2, count: 2, copiedFrom: 1 };
      const { attempt } = yield* steps(server, { phase: "emptying", remaining: 6, moved: 1, batch });
      expect(server.log.slice(0, 3)).toEqual([expect.stringContaining("begin"), "check", `move ${HIDDEN} 2 to Dest`]);
      expect(attempt.removal).toMatchObject({ moved: 7, remaining: 0 });
    }),
  );

  it.effect("follow the destination to another name, or create it again", () =>
    Effect.gen(function* () {
      const renamed = new FolderServer("Moved", "Old");
      const { records } = yield* Effect.provide(
        Effect.flatMap(Folders, ({ sync }) => sync(ME)),
        renamed.layer,
      );
      const id = records.find(({ path }) => path === "Moved")!.id;
      const followed = yield* steps(renamed, { destination: { id, path: "Dest" } });
      expect(followed.attempt.removal.destination).toEqual({ id, path: "Moved" });

      const gone = new FolderServer("Old");
      const created = yield* steps(gone);
      expect(gone.log.slice(0, 2)).toEqual(["check", "create Dest"]);
      expect(created.attempt.removal.destination?.path).toBe("Dest");
      expect(created.attempt.removal.destination?.id).not.toBe("f_dest");

      const taken = world(0);
      const byPath = yield* steps(taken, { destination: { id: "f_other", path: "Dest" } });
      expect(byPath.attempt.removal.destination?.id).not.toBe("f_other");

      const refused = new FolderServer("Old");
      refused.refused.set("create Dest", "name");
      const error = yield* Effect.flip(steps(refused));
      expect(error).toMatchObject({ reason: "protocol", operation: "create" });
    }),
  );

  it.effect("drop no folder that another request created after the server listed the folders [S7.3-1]", () =>
    Effect.gen(function* () {
      const server = world(1);
      let listings = 0;
      server.afterListing = () => {
        if (++listings !== 2) return;
        server.add("New");
        const uidValidity = server.boxes.get("New")!.uidValidity;
        const known = server.records.find(({ path }) => path === "Dest")!;
        server.records = [...server.records, { ...known, id: "f_new", key: "f_new", path: "New", uidValidity }];
      };
      yield* steps(server);
      expect(server.records.find(({ path }) => path === "New")?.id).toBe("f_new");
      expect(server.events).not.toContain("folder.deleted");
    }),
  );

  it.effect.each<readonly [number, Partial<FolderRemoval>]>([
    [2, {}],
    [2, { destination: null }],
    [3, { destination: null }],
  ])("remove the folder under another path that it gets after listing %d [S4.6-1]", ([nth, fields]) =>
    Effect.gen(function* () {
      const server = world(1);
      server.add("Old/B", 1);
      let listings = 1;
      const renameOld = () => {
        for (const [from, to] of [
          ["Old", "Job"],
          ["Old/B", "Job/B"],
        ] as const) {
          server.boxes.set(to, server.boxes.get(from)!);
          server.boxes.delete(from);
          server.records = server.records.map((one) => (one.path === from ? { ...one, path: to } : one));
        }
      };
      yield* Effect.provide(
        Effect.flatMap(Folders, ({ sync }) => sync(ME)),
        server.layer,
      );
      // The second listing is the last before the removal, the third is its first.
      server.afterListing = () => {
        if (++listings === nth) renameOld();
      };
      const { attempt } = yield* steps(server, fields);
      expect(server.paths).toEqual(["INBOX", "Dest"]);
      expect(attempt.removal).toMatchObject({
        phase: "finished",
        path: "Job",
        folders: [{ path: "Job" }, { path: "Job/B" }],
      });
    }),
  );

  it.effect("are refused if the server does not rename the folder, after three attempts", () =>
    Effect.gen(function* () {
      for (const refusal of ["exists", "name"] as const) {
        const server = world(0);
        server.refused.set("rename Old", refusal);
        expect(yield* Effect.flip(steps(server))).toMatchObject({ reason: "protocol", operation: "rename" });
        expect(server.log).toEqual(["check", "rename Old", "check", "rename Old", "check", "rename Old"]);
      }
    }),
  );

  it.effect("are none for a finished removal, and end it if the folder is gone", () =>
    Effect.gen(function* () {
      const server = world(1);
      expect((yield* steps(server, { phase: "finished" })).end._tag).toBe("Removed");
      expect([server.log, server.paths]).toEqual([[], ["INBOX", "Dest", "Old"]]);
      const gone = yield* steps(new FolderServer("Dest"));
      expect([gone.end._tag, gone.attempt.removal.phase]).toEqual(["Removed", "finished"]);
      const vanishing = new FolderServer("Dest");
      vanishing.add(HIDDEN, 0);
      vanishing.refused.set(`remove ${HIDDEN}`, "not found");
      vanishing.refused.set(`batch ${HIDDEN}`, "not found");
      expect((yield* steps(vanishing, { phase: "emptying" })).end._tag).toBe("Removed");
    }),
  );

  it.effect("rename the folder back once it is given up, under a free name", () =>
    Effect.gen(function* () {
      const hidden = (...more: ReadonlyArray<string>) => {
        const server = new FolderServer("Dest", ...more);
        server.add(HIDDEN, 4);
        server.add(`${HIDDEN}/B`, 1);
        return server;
      };
      const server = hidden();
      const { end } = yield* steps(server, { phase: "restoring" });
      expect(end).toMatchObject({ _tag: "Restored", mailbox: { path: "Old", status: { total: 4 } } });
      expect(server.paths.toSorted()).toEqual(["Dest", "INBOX", "Old", "Old/B"]);
      const occupied = hidden("Old");
      const moved = yield* steps(occupied, { phase: "restoring" });
      expect(moved.end).toMatchObject({ mailbox: { path: "Old (2)" } });
      expect(moved.attempt.removal.path).toBe("Old (2)");
      const refusing = hidden();
      refusing.refused.set(`rename ${HIDDEN}`, "exists");
      expect(yield* Effect.flip(steps(refusing, { phase: "restoring" }))).toMatchObject({ operation: "rename" });
      expect(refusing.log.filter((one) => one.startsWith("rename"))).toHaveLength(3);
      expect((yield* steps(new FolderServer("Dest"), { phase: "restoring" })).end._tag).toBe("Removed");
    }),
  );
});

describe("the end of a removal that failed", () => {
  const removal = {
    id: "r",
    account: ME,
    folderId: "f_old",
    path: "A/Old",
    delimiter: "/",
    hiddenPath: HIDDEN,
    folders: [
      { id: "f_key", path: "A/Old", uidValidity: 1 },
      { id: "f_inside", path: "A/Old/Inside", uidValidity: 2 },
    ] as FolderRemoval["folders"],
    begunAt: 5,
    reason: null,
  } as FolderRemoval;
  const writer = Effect.all([folderWriter, FolderRemovals]).pipe(
    Effect.map(([folders, journal]) => ({ ...folders, journal })),
  );

  it.effect("deletes its record, and raises an event only with a reason", () => {
    const server = new FolderServer();
    return Effect.gen(function* () {
      server.removals = [removal];
      yield* endRemoval(yield* writer, removal, undefined, Effect.void);
      expect([server.removals, server.events]).toEqual([[], []]);
      yield* endRemoval(yield* writer, removal, "NO", Effect.void);
      expect(server.events).toEqual(["folder.delete_failed"]);
    }).pipe(Effect.provide(server.layer));
  });

  it.effect("restores the folder's record with its id and key", () => {
    const server = new FolderServer("Old (2)");
    return Effect.gen(function* () {
      yield* (yield* Folders).sync(ME);
      const mailbox = server.listed[1]!;
      yield* endRestoredRemoval(yield* writer, removal, mailbox, Effect.void);
      expect(server.records.map(({ id, key, path, createdAt }) => [id, key, path, createdAt])).toEqual([
        ["inbox", "inbox", "INBOX", 0],
        ["f_old", "f_key", "Old (2)", 5],
      ]);
      expect(server.events.at(-1)).toBe("folder.delete_failed");
    }).pipe(Effect.provide(server.layer));
  });

  it.effect("knows whether the server lists what the removal has hidden", () => {
    const server = new FolderServer();
    return Effect.gen(function* () {
      const { tree } = yield* removalPorts;
      expect(yield* hidesMailboxes(tree, removal)).toBe(false);
      server.add(`${HIDDEN}/B`);
      expect(yield* hidesMailboxes(tree, removal)).toBe(true);
      expect(yield* hidesMailboxes({ list: () => Effect.fail({} as never) }, removal)).toBeUndefined();
    }).pipe(Effect.provide(server.layer));
  });
});
