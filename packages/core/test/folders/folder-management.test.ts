import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { ActingAgent } from "../../src/auth/index.ts";
import { Creations } from "../../src/creations/index.ts";
import type { Folder, FolderRemoval } from "../../src/folders/index.ts";
import { FolderManagement, FolderRemover } from "../../src/folders/index.ts";
import { FolderServer, ME } from "./server-in-memory.ts";

const NOW = 1_900_000_000_000;

/** The management of a server's folders. A removal moves 7 messages, unless another request has ended the removal. */
const managed = (server: FolderServer, isEndedElsewhere = false) => {
  const carriedOut: Array<FolderRemoval> = [];
  const found: Array<unknown> = [];
  const claimed: Array<string> = [];
  const claim = {
    begin: (path: string) => Effect.sync(() => void claimed.push(`begin ${path}`)),
    complete: (id: string) => Effect.sync(() => void claimed.push(`complete ${id}`)),
  };
  const layer = FolderManagement.layer.pipe(
    Layer.provide([
      Layer.mock(Creations, {
        once: (key, _, create, find) =>
          key === undefined
            ? create(claim)
            : Effect.flatMap(
                find(key.key, claim),
                (one) => (found.push(one), Option.isSome(one) ? Effect.succeed(one.value) : create(claim)),
              ),
      }),
      Layer.mock(FolderRemover, {
        worker: undefined as never,
        carryOut: (removal) =>
          Effect.sync(() => {
            carriedOut.push(removal);
            return isEndedElsewhere ? Option.none() : Option.some({ ...removal, phase: "finished", moved: 7 });
          }),
      }),
    ]),
    Layer.provide(server.layer),
  );
  const run = <A, E>(use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
    TestClock.setTime(NOW).pipe(Effect.andThen(Effect.flatMap(FolderManagement, use)), Effect.provide(layer));
  const list = run((folders) => folders.list(ME));
  const idAt = (path: string) => Effect.map(list, () => server.records.find((record) => record.path === path)!.id);
  const change = (
    path: string,
    to: { readonly name?: string; readonly parentId?: string | null },
    isWanted?: (one: Folder) => boolean,
  ) => Effect.flatMap(idAt(path), (id) => run((folders) => folders.change(ME, id, to, isWanted)));
  const remove = (
    path: string,
    request: { readonly moveTo?: string; readonly permanent?: boolean; readonly recursive?: boolean } = {},
    isWanted?: (one: Folder) => boolean,
  ) =>
    Effect.flatMap(idAt(path), (id) =>
      run((folders) => folders.remove(ME, id, { permanent: false, recursive: false, ...request }, isWanted)),
    );
  return { run, list, idAt, change, remove, carriedOut, claimed };
};
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("the user's folders", () => {
  it.effect("are listed without the special ones, with the number of their messages", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "A/B");
      server.add("Sent", 3, "sent");
      server.add("Bills", 5);
      const { list, idAt } = managed(server);
      expect((yield* list).map(({ name, messageCount, createdAt }) => [name, messageCount, createdAt])).toEqual([
        ["A", 0, NOW],
        ["B", 0, NOW],
        ["Bills", 5, NOW],
      ]);
      const [a, b] = yield* list;
      expect([a!.id, a!.parentId, b!.parentId]).toEqual([yield* idAt("A"), null, a!.id]);
    }),
  );

  it.effect("are created at the top or in another folder", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { run, idAt, claimed } = managed(server);
      const create = (name: string, parentId: string | null) =>
        run((folders) => folders.create(ME, { name, parentId }));
      const id = yield* idAt("A");
      const b = yield* create("B", id);
      expect([b.name, b.parentId, server.paths.at(-1)]).toEqual(["B", id, "A/B"]);
      expect((yield* create("C", null)).parentId).toBeNull();
      expect(claimed).toEqual(["begin A/B", `complete ${b.id}`, "begin C", `complete ${yield* idAt("C")}`]);
      expect(server.events.slice(-2)).toEqual(["folder.created", "folder.created"]);
      expect(yield* tagOf(create("a", null))).toBe("FolderExists");
      expect(yield* tagOf(create("D", "f_none"))).toBe("FolderNotFound");
    }),
  );

  it.effect("can be named by an agent only if the mailbox has both Sent and Drafts [S13.1-8]", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { run, change } = managed(server);
      const asAgent = Effect.provideService(ActingAgent, { policy: null });
      const create = (name: string) => run((folders) => folders.create(ME, { name, parentId: null }));
      for (const missing of ["sent", "drafts"] as const) {
        expect(yield* tagOf(asAgent(create("Gesendet")))).toBe("AgentNotAllowed");
        expect(yield* tagOf(asAgent(change("A", { name: "Gesendet" })))).toBe("AgentNotAllowed");
        server.add(missing, 0, missing);
      }
      yield* asAgent(create("B"));
      yield* asAgent(change("A", { name: "C" }));
      expect(server.paths).toEqual(expect.arrayContaining(["B", "C"]));
      expect(server.paths).not.toContain("Gesendet");
    }),
  );

  it.effect("are found by their path or id if the request to create them is repeated", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { run, idAt, claimed } = managed(server);
      const id = yield* idAt("A");
      const repeat = (key: string) =>
        run((folders) => folders.create(ME, { name: "New", parentId: null }, { caller: "c", key, account: ME }));
      expect((yield* repeat("A")).id).toBe(id);
      expect((yield* repeat(id)).id).toBe(id);
      expect(claimed).toEqual([`complete ${id}`, `complete ${id}`]);
      expect((yield* repeat("New")).name).toBe("New");
    }),
  );
});

describe("a change of a folder", () => {
  it.effect("renames it with its subfolders, whose ids stay", () =>
    Effect.gen(function* () {
      for (const renamesChildren of [true, false]) {
        const server = new FolderServer("A", "A/B", "A/B/C", "AB");
        server.renamesChildren = renamesChildren;
        const { change, idAt } = managed(server);
        const before = [yield* idAt("A"), yield* idAt("A/B"), yield* idAt("A/B/C")];
        expect((yield* change("A", { name: "Z" })).name).toBe("Z");
        expect([yield* idAt("Z"), yield* idAt("Z/B"), yield* idAt("Z/B/C")]).toEqual(before);
        expect(server.paths.toSorted()).toEqual(["AB", "INBOX", "Z", "Z/B", "Z/B/C"]);
        expect(server.log.filter((one) => one.startsWith("rename"))).toHaveLength(renamesChildren ? 1 : 3);
        expect(server.events.filter((one) => one !== "folder.created")).toEqual([
          "folder.renamed",
          "folder.renamed",
          "folder.renamed",
        ]);
      }
    }),
  );

  it.effect.each([
    ["renamed again", "Y"],
    ["removed", null],
  ] as const)("shows the folder as it is after another client has %s it", ([, name]) =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { change } = managed(server);
      server.afterListing = () => {
        const box = server.boxes.get("Z");
        if (box === undefined) return;
        server.boxes.delete("Z");
        if (name !== null) server.boxes.set(name, box);
      };
      const changed = change("A", { name: "Z" });
      expect(name === null ? yield* tagOf(changed) : (yield* changed).name).toBe(name ?? "FolderNotFound");
    }),
  );

  it.effect("moves it into another folder or to the top, and does nothing if it is there already", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "A/B", "C");
      const { change, idAt } = managed(server);
      const [a, c] = [yield* idAt("A"), yield* idAt("C")];
      expect((yield* change("C", { parentId: a })).parentId).toBe(a);
      expect((yield* change("A/B", { parentId: null })).parentId).toBeNull();
      expect((yield* change("A/C", { name: "D" })).parentId).toBe(a);
      expect(server.paths.toSorted()).toEqual(["A", "A/D", "B", "INBOX"]);
      const asked = server.log.length;
      expect((yield* change("A/D", { name: "D", parentId: a })).id).toBe(c);
      expect(server.log).toHaveLength(asked);
      expect(yield* tagOf(change("B", { parentId: "f_none" }))).toBe("FolderNotFound");
      expect(yield* tagOf(change("B", {}))).toBe("InputInvalid");
    }),
  );

  it.effect("includes the subfolders of a folder that cannot hold messages", () =>
    Effect.gen(function* () {
      const server = new FolderServer();
      server.add("N", null);
      server.add("N/B");
      server.renamesChildren = false;
      server.refused.set("rename N", "not found");
      const { change } = managed(server);
      yield* Effect.ignore(change("N", { name: "Z" }));
      expect(server.paths).toContain("Z/B");
      const alone = new FolderServer("A");
      alone.refused.set("rename A", "not found");
      expect(yield* tagOf(managed(alone).change("A", { name: "Z" }))).toBe("FolderNotFound");
    }),
  );

  it.effect("needs the version that the client saw, and a folder of the user", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      server.add("A/Sent", 0, "sent");
      const { change, remove } = managed(server);
      expect(yield* tagOf(change("INBOX", { name: "Z" }))).toBe("FolderIsSystem");
      expect(yield* tagOf(change("A", { name: "Z" }))).toBe("FolderIsSystem");
      expect(yield* tagOf(remove("A", { recursive: true }))).toBe("FolderIsSystem");
      const own = managed(new FolderServer("A"));
      expect(yield* tagOf(own.change("A", { name: "Z" }, () => false))).toBe("FolderChanged");
      expect(yield* tagOf(own.remove("A", {}, () => false))).toBe("FolderChanged");
      expect((yield* own.change("A", { name: "Z" }, ({ name }) => name === "A")).name).toBe("Z");
    }),
  );
});

describe("the removal of a folder", () => {
  it.effect("is journaled with the destination of its messages: Trash, which is created, another folder, or none", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "B");
      const { remove, idAt, carriedOut } = managed(server);
      const id = yield* idAt("A");
      const trashed = yield* remove("A");
      expect(server.boxes.get("Trash")?.role).toBe("trash");
      expect(trashed).toEqual({ id, movedTo: "trash", movedCount: 7 });
      expect(server.removals).toEqual([]);
      expect(carriedOut[0]).toMatchObject({
        account: ME,
        folderId: id,
        path: "A",
        uidValidity: 2,
        delimiter: "/",
        phase: "hiding",
        moved: 0,
        remaining: 0,
        failures: 0,
        begunAt: NOW,
        dueAt: NOW + 1_000,
        destination: { id: "trash", path: "Trash" },
      });
      const moveTo = yield* idAt("B");
      expect(yield* remove("A", { moveTo })).toMatchObject({ movedTo: moveTo });
      expect(yield* remove("A", { permanent: true })).toMatchObject({ movedTo: null });
    }),
  );

  it.effect("with subfolders must be asked for", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "A/B");
      server.add("Trash", 0, "trash");
      const { remove } = managed(server);
      expect(yield* tagOf(remove("A"))).toBe("FolderHasChildren");
      expect((yield* remove("A", { recursive: true })).movedCount).toBe(7);
      expect((yield* remove("A/B")).movedCount).toBe(7);
    }),
  );

  it.effect("needs a destination outside of it that holds messages", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "A/B");
      server.add("N", null);
      const { remove, idAt } = managed(server);
      const reasonOf = (request: { readonly moveTo: string; readonly permanent?: boolean }) =>
        Effect.map(Effect.flip(remove("A", { recursive: true, ...request })), (error) =>
          error._tag === "DestinationInvalid" ? error.reason : error._tag,
        );
      expect(yield* reasonOf({ moveTo: yield* idAt("A/B") })).toBe("own_descendant");
      expect(yield* reasonOf({ moveTo: yield* idAt("A") })).toBe("own_descendant");
      expect(yield* reasonOf({ moveTo: yield* idAt("N") })).toBe("not_selectable");
      expect(yield* reasonOf({ moveTo: "inbox", permanent: true })).toBe("permanent");
      expect(yield* reasonOf({ moveTo: "f_none" })).toBe("FolderNotFound");
    }),
  );

  it.effect("that was begun is continued, and reported as failed if another request ended it", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { remove, carriedOut, idAt, run } = managed(server, true);
      const destination = { id: "trash", path: "Trash" };
      const begun = { id: "r1", folderId: yield* idAt("A"), path: "A", destination } as FolderRemoval;
      server.removals = [begun];
      server.isLeased = true;
      expect(yield* tagOf(remove("A"))).toBe("MailServerError");
      expect(carriedOut).toEqual([begun]);
      server.boxes.delete("A");
      const again = run((folders) => folders.remove(ME, begun.folderId, { permanent: false, recursive: false }));
      expect(yield* tagOf(again)).toBe("FolderNotFound");
    }),
  );

  it.effect("that has hidden nothing is replaced by a later request, whose checks apply [S4.6-4] [S4.6-16]", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "B");
      const { remove, carriedOut, idAt } = managed(server, true);
      const moveTo = yield* idAt("B");
      yield* Effect.ignore(remove("A", { permanent: true }));
      expect(yield* tagOf(remove("A", { moveTo: "f_none" }))).toBe("FolderNotFound");
      expect(server.removals).toMatchObject([{ destination: null }]);
      yield* Effect.ignore(remove("A", { moveTo }));
      expect(carriedOut.map(({ id, destination }) => [id, destination?.id ?? null])).toEqual([
        [carriedOut[0]!.id, null],
        [carriedOut[0]!.id, moveTo],
      ]);
      expect(server.removals).toEqual([carriedOut[1]]);
    }),
  );

  it.effect("that is under way is continued only by a request with the same destination [S4.6-16]", () =>
    Effect.gen(function* () {
      for (const hide of [
        (server: FolderServer) => void (server.isLeased = true),
        (server: FolderServer) => server.add(server.removals[0]!.hiddenPath),
      ]) {
        const server = new FolderServer("A", "B");
        const { run, carriedOut, idAt } = managed(server, true);
        const [id, moveTo] = [yield* idAt("A"), yield* idAt("B")];
        const remove = (request: { readonly moveTo?: string; readonly permanent?: boolean }) =>
          Effect.flip(run((folders) => folders.remove(ME, id, { permanent: false, recursive: false, ...request })));
        yield* remove({ moveTo });
        hide(server);
        const busy = { _tag: "MailServerError", reason: "busy", operation: "remove" };
        expect(yield* remove({ permanent: true })).toMatchObject(busy);
        expect(yield* remove({})).toMatchObject(busy);
        expect(carriedOut).toHaveLength(1);
        expect(yield* remove({ moveTo })).toMatchObject({ reason: "protocol" });
        expect(carriedOut).toEqual([carriedOut[0], carriedOut[0]]);
      }
    }),
  );

  it.effect("is refused in any phase if it wants its messages both deleted and moved", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A", "B");
      const { run, carriedOut, idAt } = managed(server, true);
      const [id, moveTo] = [yield* idAt("A"), yield* idAt("B")];
      const removal = { id: "r1", account: ME, folderId: id, path: "A", destination: null } as FolderRemoval;
      server.isLeased = true;
      for (const phase of ["hiding", "emptying", "finished"] as const) {
        server.removals = [{ ...removal, phase }];
        const remove = run((folders) => folders.remove(ME, id, { permanent: true, recursive: false, moveTo }));
        expect(yield* Effect.flip(remove)).toMatchObject({ _tag: "DestinationInvalid", reason: "permanent" });
      }
      expect(carriedOut).toEqual([]);
    }),
  );

  it.effect("that finished is answered again, unless the folder is still there [S4.6-1]", () =>
    Effect.gen(function* () {
      const server = new FolderServer("A");
      const { remove, run, carriedOut, idAt } = managed(server, true);
      const id = yield* idAt("A");
      const destination = { id: "trash", path: "Trash" };
      const done = { id: "r1", account: ME, folderId: id, path: "A", destination, phase: "finished" } as FolderRemoval;
      server.removals = [done];
      yield* Effect.ignore(remove("A", { permanent: true }));
      expect(carriedOut).toMatchObject([{ folderId: id, phase: "hiding", destination: null }]);
      server.boxes.delete("A");
      server.removals = [done];
      yield* Effect.ignore(run((folders) => folders.remove(ME, id, { permanent: true, recursive: false })));
      expect(carriedOut[1]).toBe(done);
    }),
  );
});
