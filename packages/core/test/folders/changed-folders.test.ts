import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { ActingAgent } from "../../src/auth/index.ts";
import { Creations } from "../../src/creations/index.ts";
import { endRestoredRemoval } from "../../src/folders/end-removal.ts";
import { FolderManagement, type FolderRemoval, FolderRemovals, FolderRemover } from "../../src/folders/index.ts";
import { folderWriter } from "../../src/folders/record-folders.ts";
import type { ListedMailbox } from "../../src/mail/index.ts";
import { listedAt } from "./listed.ts";
import { FolderServer, ME } from "./server-in-memory.ts";

const managed = (server: FolderServer) => {
  const removals: Array<FolderRemoval> = [];
  const layer = FolderManagement.layer.pipe(
    Layer.provide([
      Layer.mock(Creations, {
        once: (_, __, create) => create({ begin: () => Effect.void, complete: () => Effect.void }),
      }),
      Layer.mock(FolderRemover, {
        worker: undefined as never,
        carryOut: (removal) => Effect.sync(() => (removals.push(removal), Option.some(removal))),
      }),
    ]),
    Layer.provide(server.layer),
  );
  const run = <A, E>(use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(FolderManagement, use), layer);
  const idAt = (path: string) =>
    Effect.map(
      run((folders) => folders.list(ME)),
      () => server.records.find((record) => record.path === path)!.id,
    );
  return { run, idAt, removals };
};

describe("a folder that is renamed", () => {
  it.effect("keeps its id although the server gives it and its subfolders another UIDVALIDITY", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "A/B");
      server.renumbersRenamed = true;
      const { run, idAt } = managed(server);
      const ids = [yield* idAt("A"), yield* idAt("A/B")];
      const renamed = yield* run((folders) => folders.change(ME, ids[0]!, { name: "Z" }));
      expect([renamed.id, renamed.name]).toEqual([ids[0], "Z"]);
      expect([yield* idAt("Z"), yield* idAt("Z/B")]).toEqual(ids);
      expect(server.events.filter((one) => one !== "folder.created")).toEqual(["folder.renamed", "folder.renamed"]);
    }),
  );

  it.effect("gives its new path to no folder that another request made at the former one [S4.4-3] [S7.3-1]", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { run, idAt } = managed(server);
      const id = yield* idAt("A");
      server.afterListing = () => {
        if (!server.paths.includes("Z")) return;
        server.afterListing = () => {};
        // Another process lists the renamed folder, and then creates one with the former name.
        server.add("A");
        const known = server.records.find(({ path }) => path === "A")!;
        const { uidValidity } = server.boxes.get("A")!;
        server.records = [
          ...server.records.map((one) => (one === known ? { ...known, path: "Z" } : one)),
          { ...known, id: "f_new", key: "f_new", uidValidity },
        ];
      };
      expect((yield* run((folders) => folders.change(ME, id, { name: "Z" }))).id).toBe(id);
      expect([yield* idAt("Z"), yield* idAt("A")]).toEqual([id, "f_new"]);
      expect(server.events).not.toContain("folder.renamed");
    }),
  );

  it.effect("or created may be the first in the listing", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      server.boxes.delete("INBOX");
      const { run, idAt } = managed(server);
      const id = yield* idAt("A");
      expect((yield* run((folders) => folders.change(ME, id, { name: "Z" }))).name).toBe("Z");
      server.boxes.clear();
      expect((yield* run((folders) => folders.create(ME, { name: "New", parentId: null }))).name).toBe("New");
    }),
  );
});

it.effect("a folder that is renamed back is recorded as the server lists it", () => {
  const server = new FolderServer();
  return Effect.gen(function* () {
    const writer = { ...(yield* folderWriter), journal: yield* FolderRemovals };
    const removal = { id: "r", account: ME, folderId: "f_a", folders: [], delimiter: "/", begunAt: 5 } as const;
    const restore = (mailbox: ListedMailbox) =>
      Effect.map(
        endRestoredRemoval(writer, { ...removal, path: "A" } as unknown as FolderRemoval, mailbox, Effect.void),
        () => server.records,
      );
    const record = { id: "f_a", key: "f_a", path: "A", createdAt: 5 };
    expect(yield* restore(listedAt("A", { status: { mailboxId: "m1", uidValidity: 3, uidNext: 4 } }))).toEqual([
      { ...record, mailboxId: "m1", uidValidity: 3, uidNext: 4 },
    ]);
    expect(yield* restore(listedAt("A", { status: null }))).toEqual([
      { ...record, mailboxId: null, uidValidity: null, uidNext: null },
    ]);
  }).pipe(Effect.provide(server.layer));
});

describe("a removal", () => {
  it.effect("is journaled with the folder and its subfolders as they were", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "A/B", "AB", "Dest");
      server.add("A/N", null);
      const { run, idAt, removals } = managed(server);
      const [id, inside, name, moveTo] = [
        yield* idAt("A"),
        yield* idAt("A/B"),
        yield* idAt("A/N"),
        yield* idAt("Dest"),
      ];
      yield* run((folders) => folders.remove(ME, id, { moveTo, permanent: false, recursive: true }));
      expect(removals).toEqual([
        {
          id: expect.any(String),
          account: ME,
          folderId: id,
          path: "A",
          uidValidity: server.boxes.get("A")!.uidValidity,
          hiddenPath: expect.stringMatching(/^postern-removal-./),
          folders: [
            { id, path: "A", uidValidity: server.boxes.get("A")!.uidValidity },
            { id: inside, path: "A/B", uidValidity: server.boxes.get("A/B")!.uidValidity },
            { id: name, path: "A/N", uidValidity: null },
          ],
          delimiter: "/",
          destination: expect.objectContaining({ id: moveTo, path: "Dest" }),
          phase: "hiding",
          moved: 0,
          remaining: 0,
          batch: null,
          begunAt: 0,
          failures: 0,
          dueAt: 1_000,
          reason: null,
        },
      ]);
    }),
  );

  it.effect("by an agent moves no messages into Sent or Drafts, but one by the owner does [S13.1-6]", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      server.add("Sent", 0, "sent");
      server.add("Drafts", 0, "drafts");
      server.add("Archive", 0, "archive");
      const { run, idAt } = managed(server);
      const id = yield* idAt("A");
      const remove = (moveTo: string) =>
        Effect.match(
          run((folders) => folders.remove(ME, id, { moveTo, permanent: false, recursive: false })),
          {
            onFailure: (error) => (error._tag === "DestinationInvalid" ? error.reason : error._tag),
            onSuccess: ({ movedTo }) => movedTo,
          },
        );
      const asAgent = Effect.provideService(ActingAgent, { policy: null });
      for (const role of ["sent", "drafts"]) {
        expect([yield* asAgent(remove(role)), yield* remove(role)]).toEqual(["of_owner", role]);
      }
      expect(yield* asAgent(remove("archive"))).toBe("archive");
    }),
  );
});
