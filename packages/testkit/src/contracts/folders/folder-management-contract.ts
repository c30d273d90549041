import { assert, layer } from "@effect/vitest";
import { type AccountId, Entropy, OpaqueIds } from "@postern/core/shared";
import type { MailServerError } from "@postern/core/mail";
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
import { Effect, Fiber, Layer } from "effect";
import { Cuts } from "../../fixtures/Cuts.ts";
import { withCuts } from "../../fixtures/with-cuts.ts";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { lines } from "../../fixtures/mail-messages.ts";
import { noCreationKeys } from "../../fixtures/no-creation-keys.ts";
import { noLedger } from "../../fixtures/no-ledger.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import type { FolderManagementServer } from "./FolderManagementServer.ts";

type Ports =
  | MailboxChanges
  | MailboxTree
  | FolderRecords
  | FolderRemovals
  | OpaqueIds
  | Entropy
  | CredentialVault
  | MailServerControl;

const numbered = (n: number) =>
  lines("From: a@example.org", `Message-ID: <${n}@example.org>`, `Subject: ${n}`, "", `Text ${n}.`);

const REMOVE = { permanent: false, recursive: false };

/** The contract of `FolderManagement` on any mail server (spec 4). */
export const folderManagementContract = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { objectIds = false, move = true, noselect = true, cutEvery = 1 }: FolderManagementServer = {},
): void => {
  const useCases = FolderManagement.layer.pipe(
    Layer.provideMerge(FolderRemover.layer),
    Layer.provideMerge(Folders.layer),
    Layer.provide([noLedger, noCreationKeys]),
    Layer.provideMerge(withCuts(ports)),
  );
  layer(useCases, { excludeTestServices: true })(name, (it) => {
    const start = Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const cuts = yield* Cuts;
      yield* cuts.cut(0, "before");
      const tree = yield* MailboxTree;
      const [inbox] = yield* tree.list(account);
      const folders = yield* FolderManagement;
      const control = yield* MailServerControl;
      const { prefix, delimiter } = inbox!;
      const path = (...names: ReadonlyArray<string>) => prefix + names.join(delimiter!);
      const fill = (at: string, numbers: ReadonlyArray<number>) =>
        Effect.forEach(numbers, (n) => control.append(account, at, numbered(n)));
      const total = Effect.fnUntraced(function* (at: string) {
        return (yield* tree.list(account)).find((mailbox) => mailbox.path === at)?.status?.total;
      });
      return { account, cuts, tree, folders, control, path, fill, total };
    });
    const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.map(Effect.flip(effect), (error) =>
        "reason" in error ? `${error._tag} ${String(error.reason)}` : error._tag,
      );
    const idsByPath = Effect.fnUntraced(function* (account: AccountId) {
      const listed = yield* (yield* Folders).list(account);
      return Object.fromEntries(listed.map(({ path, id }) => [path, id]));
    });

    it.effect("creates nested folders, listed at once with their counts", () =>
      Effect.gen(function* () {
        const { account, folders, path, fill } = yield* start;
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
        const { account, folders } = yield* start;
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
        const { account, folders, tree } = yield* start;
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
        const { account, folders, path, fill, total } = yield* start;
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

    it.effect("keeps the id of a folder that another client renames, if it can be recognised", () =>
      Effect.gen(function* () {
        const { account, folders, control, path } = yield* start;
        const a = yield* folders.create(account, { name: "One", parentId: null });
        const b = yield* folders.create(account, { name: "Two", parentId: null });
        yield* control.renameMailbox(account, path("One"), path("Uno"));
        assert.deepInclude(yield* idsByPath(account), { [path("Uno")]: a.id, [path("Two")]: b.id });
        // Names exchanged: only MAILBOXID can tell the folders apart.
        yield* control.renameMailbox(account, path("Uno"), path("X"));
        yield* control.renameMailbox(account, path("Two"), path("Uno"));
        yield* control.renameMailbox(account, path("X"), path("Two"));
        const ids = yield* idsByPath(account);
        if (objectIds) assert.deepInclude(ids, { [path("Two")]: a.id, [path("Uno")]: b.id });
        assert.strictEqual(new Set(Object.values(ids)).size, Object.values(ids).length);
        yield* control.deleteMailbox(account, path("Two"));
        yield* Effect.sleep("1100 millis");
        yield* control.createMailbox(account, path("Two"));
        const recreated = (yield* idsByPath(account))[path("Two")];
        assert.notInclude([a.id, b.id], recreated, "a recreated folder is another");
      }),
    );

    it.effect("leaves system folders alone [S4.5-4]", () =>
      Effect.gen(function* () {
        const { account, folders } = yield* start;
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

    it.effect(
      "removes a folder and moves its messages to Trash or another folder, or deletes them [S4.6-1] [S4.6-3]",
      () =>
        Effect.gen(function* () {
          const { account, folders, path, fill, total, tree } = yield* start;
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
        const { account, folders, path, fill, total, tree } = yield* start;
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
          const { account, folders, control, path, fill, total, tree } = yield* start;
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
          const { account, folders, control, path, fill, total } = yield* start;
          const busy = yield* folders.create(account, { name: "Busy", parentId: null });
          const dest = yield* folders.create(account, { name: "Dest", parentId: null });
          yield* fill(
            path("Busy"),
            Array.from({ length: 40 }, (_, n) => n),
          );
          let delivered = 40;
          const deliver = Effect.gen(function* () {
            for (let n = 40; n < 500; n++) {
              const answer = yield* Effect.exit(control.append(account, path("Busy"), numbered(n)));
              if (answer._tag === "Failure") return;
              delivered++;
              yield* Effect.sleep("20 millis");
            }
          });
          const delivery = yield* Effect.forkChild(deliver, { startImmediately: true });
          yield* Effect.sleep("15 millis");
          // A Dovecot session that delivers while its Maildir is renamed may leave a lock for minutes. Nothing is lost
          // and the removal finishes later, but such a run proves nothing and is repeated with another folder.
          yield* folders.remove(account, busy.id, { ...REMOVE, moveTo: dest.id });
          yield* Fiber.join(delivery);
          assert.strictEqual((yield* total(path("Dest"))) ?? 0, delivered);
          assert.isUndefined(yield* total(path("Busy")));
        }),
      { timeout: 40_000, retry: 8 },
    );

    it.effect("removes a folder once for two concurrent requests", () =>
      Effect.gen(function* () {
        const { account, folders, path, fill, total } = yield* start;
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
            const { account, cuts, tree, folders, path, fill } = yield* start;
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
                // Finished already if only the response was lost.
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
        const { account, cuts, folders, path, fill, total, tree } = yield* start;
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
  });
};
