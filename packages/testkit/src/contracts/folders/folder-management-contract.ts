import { assert, layer } from "@effect/vitest";
import { Entropy, OpaqueIds } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import {
  FolderManagement,
  FolderRecords,
  FolderRemover,
  FolderRemovals,
  Folders,
  MailboxChanges,
  MailboxTree,
} from "@postern/core/folders";
import { Effect, Layer } from "effect";
import { withCuts } from "../../fixtures/with-cuts.ts";
import { noCreationKeys } from "../../fixtures/no-creation-keys.ts";
import { servicesWithoutStore } from "../../fixtures/services-without-store.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import type { FolderManagementServer } from "./FolderManagementServer.ts";
import { folderRemovalTests } from "./folder-management-removal.ts";
import { failure, idsByPath, managedFolders, REMOVE } from "./managed-folders.ts";

type Ports =
  | MailboxChanges
  | MailboxTree
  | FolderRecords
  | FolderRemovals
  | OpaqueIds
  | Entropy
  | CredentialVault
  | MailServerControl;

/** The contract of `FolderManagement` on any mail server (spec 4). */
export const folderManagementContract = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  server: FolderManagementServer = {},
): void => {
  const useCases = FolderManagement.layer.pipe(
    Layer.provideMerge(FolderRemover.layer),
    Layer.provideMerge(Folders.layer),
    Layer.provide([servicesWithoutStore, noCreationKeys]),
    Layer.provideMerge(withCuts(ports)),
  );
  layer(useCases, { excludeTestServices: true })(name, (it) => {
    it.effect("creates nested folders, listed at once with their counts", () =>
      Effect.gen(function* () {
        const { account, folders, path, fill } = yield* managedFolders;
        const top = yield* folders.create(account, { name: "Ünïcode & Co", parentId: null });
        assert.deepInclude(top, { name: "Ünïcode & Co", parentId: null, messageCount: 0 });
        const child = yield* folders.create(account, { name: "A\u0308 日本", parentId: top.id });
        assert.deepInclude(child, { name: "Ä 日本", parentId: top.id });
        yield* fill(path("Ünïcode & Co", "Ä 日本"), [1, 2]);
        const listed = yield* folders.list(account);
        assert.sameDeepMembers([...listed], [top, { ...child, messageCount: 2 }]);
        const ids = yield* idsByPath(account);
        assert.strictEqual(ids[path("Ünïcode & Co", "Ä 日本")], child.id);
      }),
    );

    it.effect("refuses a sibling's name in any case and Unicode form", () =>
      Effect.gen(function* () {
        const { account, folders } = yield* managedFolders;
        const top = yield* folders.create(account, { name: "Größe", parentId: null });
        const other = yield* folders.create(account, { name: "Other", parentId: null });
        for (const name of ["größe", "GRÖSSE", "Gro\u0308ße", "inbox", "InBox", "trash", "SENT"]) {
          const create = folders.create(account, { name, parentId: null });
          assert.strictEqual(yield* failure(create), "FolderExists", name);
          assert.strictEqual(yield* failure(folders.change(account, other.id, { name })), "FolderExists", name);
        }
        yield* folders.create(account, { name: "größe", parentId: top.id });
        const recased = yield* folders.change(account, other.id, { name: "oTHER" });
        assert.deepInclude(recased, { id: other.id, name: "oTHER" });
      }),
    );

    it.effect("reports the fault of a name or parent, and creates nothing [S4.5-1]", () =>
      Effect.gen(function* () {
        const { account, folders, tree } = yield* managedFolders;
        const { delimiter } = (yield* tree.list(account))[0]!;
        const before = yield* tree.list(account);
        for (const [name, reason] of [
          ["", "empty"],
          [" edge", "edge_space"],
          ["edge\u00a0", "edge_space"],
          ["a\r\nb", "control_character"],
          ["a\0b", "control_character"],
          ["\ud800", "malformed"],
          [`a${delimiter}b`, "delimiter"],
          ["a*", "wildcard"],
          ["%", "wildcard"],
          ["..", "dots"],
          ["a..b", "dots"],
          ["Postern-Removal-x", "reserved"],
          ["n".repeat(256), "too_long"],
          ["日".repeat(96), "too_long"],
        ] as const) {
          const create = folders.create(account, { name, parentId: null });
          const expected = name.includes(delimiter!) ? "delimiter" : reason;
          assert.strictEqual(yield* failure(create), `FolderNameInvalid ${expected}`, JSON.stringify(name));
        }
        assert.strictEqual(yield* failure(folders.create(account, { name: "x", parentId: "f_no" })), "FolderNotFound");
        assert.deepStrictEqual(yield* tree.list(account), before);
        let parentId: string | null = null;
        for (let depth = 1; depth <= 10; depth++) {
          parentId = (yield* folders.create(account, { name: `d${depth}`, parentId })).id;
        }
        const deeper = folders.create(account, { name: "d11", parentId });
        assert.strictEqual(yield* failure(deeper), "FolderParentInvalid too_deep");
      }),
    );

    it.effect("renames and moves folders with their descendants, and keeps every id [S4.4-3]", () =>
      Effect.gen(function* () {
        const { account, folders, path, fill, total } = yield* managedFolders;
        const a = yield* folders.create(account, { name: "A", parentId: null });
        const b = yield* folders.create(account, { name: "B & ü", parentId: a.id });
        const c = yield* folders.create(account, { name: "C", parentId: b.id });
        const other = yield* folders.create(account, { name: "Other", parentId: null });
        yield* fill(path("A"), [1]);
        yield* fill(path("A", "B & ü", "C"), [2, 3]);
        const renamed = yield* folders.change(account, a.id, { name: "Gamma" });
        assert.deepInclude(renamed, {
          id: a.id,
          name: "Gamma",
          parentId: null,
          createdAt: a.createdAt,
          messageCount: 1,
        });
        const moved = yield* folders.change(account, a.id, { parentId: other.id });
        assert.deepInclude(moved, { id: a.id, name: "Gamma", parentId: other.id, messageCount: 1 });
        const ids = yield* idsByPath(account);
        assert.deepInclude(ids, {
          [path("Other")]: other.id,
          [path("Other", "Gamma")]: a.id,
          [path("Other", "Gamma", "B & ü")]: b.id,
          [path("Other", "Gamma", "B & ü", "C")]: c.id,
        });
        assert.strictEqual(yield* total(path("Other", "Gamma", "B & ü", "C")), 2);
        for (const parentId of [a.id, b.id, c.id]) {
          const into = folders.change(account, a.id, { parentId });
          assert.strictEqual(yield* failure(into), "FolderParentInvalid own_descendant");
        }
        const back = yield* folders.change(account, a.id, { name: "A", parentId: null });
        assert.deepInclude(back, { id: a.id, name: "A", parentId: null });
        assert.deepInclude(yield* idsByPath(account), { [path("A", "B & ü", "C")]: c.id });
      }),
    );

    it.effect("keeps the id of a folder that another client renames, if it can be recognised [S4.2-3] [S4.2-4]", () =>
      Effect.gen(function* () {
        const { account, folders, control, path } = yield* managedFolders;
        const a = yield* folders.create(account, { name: "One", parentId: null });
        const b = yield* folders.create(account, { name: "Two", parentId: null });
        yield* control.renameMailbox(account, path("One"), path("Uno"));
        assert.deepInclude(yield* idsByPath(account), { [path("Uno")]: a.id, [path("Two")]: b.id });
        // The two folders exchange their names. Without MAILBOXID they may have equal UIDVALIDITYs.
        yield* control.renameMailbox(account, path("Uno"), path("X"));
        yield* control.renameMailbox(account, path("Two"), path("Uno"));
        yield* control.renameMailbox(account, path("X"), path("Two"));
        const ids = yield* idsByPath(account);
        if (server.objectIds === true) assert.deepInclude(ids, { [path("Two")]: a.id, [path("Uno")]: b.id });
        assert.strictEqual(new Set(Object.values(ids)).size, Object.values(ids).length);
        yield* control.deleteMailbox(account, path("Two"));
        yield* Effect.sleep("1100 millis");
        yield* control.createMailbox(account, path("Two"));
        const recreated = (yield* idsByPath(account))[path("Two")];
        // Without MAILBOXID, a new mailbox at a path is the same folder with another UIDVALIDITY.
        if (server.objectIds === true) assert.notInclude([a.id, b.id], recreated, "a recreated folder is another");
        else assert.strictEqual(recreated, ids[path("Two")]);
      }),
    );

    it.effect("leaves system folders alone [S4.5-4]", () =>
      Effect.gen(function* () {
        const { account, folders } = yield* managedFolders;
        for (const id of ["inbox", "sent", "trash"]) {
          assert.strictEqual(yield* failure(folders.change(account, id, { name: "x" })), "FolderIsSystem");
          assert.strictEqual(yield* failure(folders.remove(account, id, REMOVE)), "FolderIsSystem");
        }
        assert.deepStrictEqual(yield* folders.list(account), []);
        const inTrash = yield* folders.create(account, { name: "Within", parentId: "trash" });
        assert.strictEqual(inTrash.parentId, "trash");
        assert.deepInclude(yield* folders.remove(account, inTrash.id, REMOVE), { movedTo: "trash", movedCount: 0 });
      }),
    );

    folderRemovalTests(it, server);
  });
};
