import { Clock, Context, Effect, Layer } from "effect";
import { type AccountId, OpaqueIds } from "../shared/index.ts";
import type { ListedMailbox, MailboxAccessError } from "../mail/index.ts";
import { isHidden } from "./folder-removal-state.ts";
import { foldersOf } from "./folder-tree.ts";
import { FolderRecorder } from "./FolderRecorder.ts";
import type { FolderSnapshot } from "./FolderSnapshot.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { reconcile, sameFolders } from "./reconcile.ts";

/** Lists the folders of an account and updates their records (spec 4). */
export class FolderSync extends Context.Service<
  FolderSync,
  {
    /** Returns the folders as the server lists them now; `list` replaces `MailboxTree.list`. */
    readonly sync: (
      account: AccountId,
      list?: Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>,
    ) => Effect.Effect<FolderSnapshot, MailboxAccessError>;
  }
>()("@postern/core/folders/FolderSync") {
  static readonly layer = Layer.effect(
    FolderSync,
    Effect.gen(function* () {
      const tree = yield* MailboxTree;
      const store = yield* FolderRecords;
      const recorder = yield* FolderRecorder;
      const ids = yield* OpaqueIds;
      /** By the listing itself: requests that share one share what follows from it, while the records are the same. */
      const snapshots = new WeakMap<ReadonlyArray<ListedMailbox>, FolderSnapshot>();

      const sync: FolderSync["Service"]["sync"] = Effect.fnUntraced(function* (account, list = tree.list(account)) {
        for (;;) {
          // Read before the listing, because records saved meanwhile may be newer than the listing.
          const known = yield* store.load(account);
          const all = yield* list;
          const shared = snapshots.get(all);
          if (shared !== undefined && sameFolders(known, shared.records)) return shared;
          const listed = all.filter((mailbox) => !isHidden(mailbox));
          const now = yield* Clock.currentTimeMillis;
          const records = reconcile(known, listed, (identity) => ids.folderId(account, identity), now);
          const { prefix, delimiter } = listed[0] ?? { prefix: "", delimiter: null };
          if (!sameFolders(known, records) && !(yield* recorder.replace(account, known, records, delimiter))) continue;
          const snapshot = { root: { prefix, delimiter }, listed, records, folders: foldersOf(listed, records) };
          snapshots.set(all, snapshot);
          return snapshot;
        }
      });

      return FolderSync.of({ sync });
    }),
  ).pipe(Layer.provide(FolderRecorder.layer));
}
