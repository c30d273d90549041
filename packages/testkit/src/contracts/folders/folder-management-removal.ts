import { assert, type Vitest } from "@effect/vitest";
import type { MailServerError } from "@postern/core/mail";
import { FolderRemover, Folders } from "@postern/core/folders";
import { Effect, Fiber } from "effect";
import type { FolderManagementServer } from "./FolderManagementServer.ts";
import { failure, idsByPath, managedFolders, numberedMessage, REMOVE } from "./managed-folders.ts";

/** The part of the `FolderManagement` contract about removing folders (spec 4.6). */
export const folderRemovalTests = (
  it: Vitest.MethodsNonLive<Effect.Services<typeof managedFolders> | FolderRemover | Folders>,
  { move = true, noselect = true, cutEvery = 1 }: FolderManagementServer,
): void => {
  it.effect(
    "removes a folder and moves its messages to Trash or another folder, or deletes them [S4.6-1] [S4.6-3]",
    () =>
      Effect.gen(function* () {
        const { account, folders, path, fill, total, tree } = yield* managedFolders;
        const before = (yield* tree.list(account)).length;
        const names = ["One", "Two", "Three", "Dest"];
        const [one, two, three, dest] = yield* Effect.forEach(names, (name) =>
          folders.create(account, { name, parentId: null }),
        );
        for (const name of names) yield* fill(path(name), [1, 2, 3]);
        const removed = yield* folders.remove(account, one!.id, REMOVE);
        assert.deepStrictEqual(removed, { id: one!.id, movedTo: "trash", movedCount: 3 });
        assert.strictEqual(yield* total(path("Trash")), 3);
        const moved = yield* folders.remove(account, two!.id, { ...REMOVE, moveTo: dest!.id });
        assert.deepStrictEqual(moved, { id: two!.id, movedTo: dest!.id, movedCount: 3 });
        assert.strictEqual(yield* total(path("Dest")), 6);
        const destroyed = yield* folders.remove(account, three!.id, { ...REMOVE, permanent: true });
        assert.deepStrictEqual(destroyed, { id: three!.id, movedTo: null, movedCount: 0 });
        assert.strictEqual(yield* total(path("Trash")), 3);
        assert.strictEqual(yield* failure(folders.remove(account, one!.id, REMOVE)), "FolderNotFound");
        assert.lengthOf(yield* tree.list(account), before + 1, "nothing hidden is left");
      }),
  );

  it.effect("removes subfolders only if requested, and moves no messages into them [S4.6-4] [S4.6-5]", () =>
    Effect.gen(function* () {
      const { account, folders, path, fill, total, tree } = yield* managedFolders;
      const before = (yield* tree.list(account)).length;
      const top = yield* folders.create(account, { name: "Top", parentId: null });
      const mid = yield* folders.create(account, { name: "Mid", parentId: top.id });
      const leaf = yield* folders.create(account, { name: "Leaf", parentId: mid.id });
      yield* fill(path("Top"), [1]);
      yield* fill(path("Top", "Mid", "Leaf"), [2, 3]);
      const remove = (more: object) => folders.remove(account, top.id, { ...REMOVE, ...more });
      assert.strictEqual(yield* failure(remove({})), "FolderHasChildren");
      for (const moveTo of [top.id, leaf.id]) {
        const within = remove({ recursive: true, moveTo });
        assert.strictEqual(yield* failure(within), "DestinationInvalid own_descendant");
      }
      assert.strictEqual(yield* failure(remove({ recursive: true, moveTo: "f_no" })), "FolderNotFound");
      const both = remove({ recursive: true, moveTo: "inbox", permanent: true });
      assert.strictEqual(yield* failure(both), "DestinationInvalid permanent");
      assert.deepStrictEqual(yield* remove({ recursive: true }), { id: top.id, movedTo: "trash", movedCount: 3 });
      assert.strictEqual(yield* total(path("Trash")), 3);
      assert.lengthOf(yield* tree.list(account), before);
    }),
  );

  if (noselect) {
    it.effect("renames and removes folders that only hold folders", () =>
      Effect.gen(function* () {
        const { account, folders, control, path, fill, total, tree } = yield* managedFolders;
        const before = (yield* tree.list(account)).length;
        yield* control.createMailbox(account, path("Holds", "Below"));
        yield* fill(path("Holds", "Below"), [1, 2]);
        const holds = (yield* folders.list(account)).find(({ name }) => name === "Holds")!;
        const child = (yield* folders.list(account)).find(({ name }) => name === "Below")!;
        assert.deepInclude(yield* folders.change(account, holds.id, { name: "Held" }), { name: "Held" });
        assert.strictEqual((yield* idsByPath(account))[path("Held", "Below")], child.id);
        const again = (yield* folders.list(account)).find(({ name }) => name === "Held")!;
        const removed = yield* folders.remove(account, again.id, { ...REMOVE, recursive: true });
        assert.deepInclude(removed, { movedTo: "trash", movedCount: 2 });
        assert.strictEqual(yield* total(path("Trash")), 2);
        assert.lengthOf(yield* tree.list(account), before);
      }),
    );
  }

  it.effect(
    "loses no message that arrives during a removal",
    () =>
      Effect.gen(function* () {
        const { account, folders, control, path, fill, total } = yield* managedFolders;
        const busy = yield* folders.create(account, { name: "Busy", parentId: null });
        const dest = yield* folders.create(account, { name: "Dest", parentId: null });
        yield* fill(
          path("Busy"),
          Array.from({ length: 40 }, (_, n) => n),
        );
        let delivered = 40;
        const deliver = Effect.gen(function* () {
          for (let n = 40; n < 500; n++) {
            const answer = yield* Effect.exit(control.append(account, path("Busy"), numberedMessage(n)));
            if (answer._tag === "Failure") return;
            delivered++;
            yield* Effect.sleep("20 millis");
          }
        });
        const delivery = yield* Effect.forkChild(deliver, { startImmediately: true });
        yield* Effect.sleep("15 millis");
        // A Dovecot session that delivers during the rename of its Maildir may leave a lock for minutes. Nothing is
        // lost and the removal finishes later, but such a run proves nothing and is repeated with another folder.
        yield* folders.remove(account, busy.id, { ...REMOVE, moveTo: dest.id });
        yield* Fiber.join(delivery);
        assert.strictEqual((yield* total(path("Dest"))) ?? 0, delivered);
        assert.isUndefined(yield* total(path("Busy")));
      }),
    { timeout: 40_000, retry: 8 },
  );

  it.effect("removes a folder once for two concurrent requests", () =>
    Effect.gen(function* () {
      const { account, folders, path, fill, total } = yield* managedFolders;
      const folder = yield* folders.create(account, { name: "Twice", parentId: null });
      yield* fill(path("Twice"), [1, 2, 3]);
      const both = yield* Effect.all(
        [1, 2].map(() => Effect.result(folders.remove(account, folder.id, REMOVE))),
        { concurrency: "unbounded" },
      );
      const ends = both.map((end) =>
        end._tag === "Success"
          ? "removed"
          : `${end.failure._tag}${"detail" in end.failure ? ` ${end.failure.detail}` : ""}`,
      );
      assert.include(ends, "removed");
      for (const end of ends) assert.include(["removed", "FolderNotFound"], end);
      assert.strictEqual(yield* total(path("Trash")), 3);
    }),
  );

  for (const when of ["before", "after"] as const) {
    it.effect(
      `a removal interrupted ${when} any step loses no message, stays hidden, and finishes when requested again [S4.6-12] [S4.6-13]`,
      () =>
        Effect.gen(function* () {
          const { account, cuts, tree, folders, path, fill } = yield* managedFolders;
          const before = (yield* tree.list(account)).length;
          for (let nth = 1, round = 1; ; nth += cutEvery, round++) {
            const top = yield* folders.create(account, { name: "Top", parentId: null });
            yield* folders.create(account, { name: "Below", parentId: top.id });
            yield* fill(path("Top"), [1, 1, 2]);
            yield* fill(path("Top", "Below"), [1, 3]);
            const dest = yield* folders.create(account, { name: `Dest ${round}`, parentId: null });
            yield* cuts.cut(nth, when);
            const remove = folders.remove(account, top.id, { ...REMOVE, recursive: true, moveTo: dest.id });
            const first: { readonly _tag: string; readonly failure?: unknown } = yield* Effect.result(remove);
            const happened = yield* cuts.happened;
            yield* cuts.cut(0, "before");
            const all = yield* tree.list(account);
            const sum = all.reduce((count, { status }) => count + (status?.total ?? 0), 0);
            if (move) assert.strictEqual(sum, 5 * round, `call ${nth}`);
            else assert.isAtLeast(sum, 5 * round, `call ${nth}`);
            const shown = yield* (yield* Folders).list(account);
            assert.isFalse(
              shown.some((folder) => folder.path.includes("removal")),
              "hidden mailboxes are not listed",
            );
            if (first._tag === "Failure") {
              assert.strictEqual((first.failure as MailServerError)._tag, "MailServerError");
              const again = yield* Effect.result(remove);
              // The removal is finished already if only its response was lost.
              if (again._tag === "Failure") assert.strictEqual(again.failure._tag, "FolderNotFound");
              else assert.strictEqual(again.success.movedCount, 5, `call ${nth}`);
            }
            const after = yield* tree.list(account);
            assert.strictEqual(after.find((mailbox) => mailbox.path === path(`Dest ${round}`))?.status?.total, 5);
            assert.lengthOf(after, before + round, `after call ${nth}`);
            if (!happened) return assert.isAbove(nth, 10);
          }
        }),
    );
  }

  it.effect("finishes in the background a removal that is not requested again [S4.6-8]", () =>
    Effect.gen(function* () {
      const { account, cuts, folders, path, fill, total, tree } = yield* managedFolders;
      const before = (yield* tree.list(account)).length;
      const { worker } = yield* FolderRemover;
      for (const [nth, name] of ["a", "b", "c"].entries()) {
        const folder = yield* folders.create(account, { name, parentId: null });
        yield* fill(path(name), [1, 2]);
        yield* cuts.cut(6 + 3 * nth, "after");
        yield* Effect.flip(folders.remove(account, folder.id, REMOVE));
        yield* cuts.cut(0, "before");
      }
      assert.isAbove(yield* Effect.delay(worker.runDue, "1 second"), 0, "requests had time to claim them");
      assert.strictEqual(yield* total(path("Trash")), 6);
      assert.lengthOf(yield* tree.list(account), before);
    }),
  );
};
