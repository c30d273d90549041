import { Clock, Effect } from "effect";
import { type AccountId, OpaqueIds } from "../shared/index.ts";
import type { ListedMailbox } from "../mail/index.ts";
import type { Folder } from "./Folder.ts";
import type { Root } from "./folder-place.ts";
import { isHidden } from "./folder-removal-state.ts";
import { foldersOf } from "./folder-tree.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { reconcile, sameFolders } from "./reconcile.ts";
import { recordFolders } from "./record-folders.ts";

/** The folders of an account at one moment; the three pair by position. Nothing that is being removed is among them. */
export interface Survey {
  readonly root: Root;
  readonly listed: ReadonlyArray<ListedMailbox>;
  readonly records: ReadonlyArray<FolderRecord>;
  readonly folders: ReadonlyArray<Folder>;
}

/** Asks the server what there is, and keeps the ids in step with it (spec 4). */
export const surveys = Effect.gen(function* () {
  const tree = yield* MailboxTree;
  const store = yield* FolderRecords;
  const ids = yield* OpaqueIds;

  const record = yield* recordFolders;

  /** `list` asks the server in place of `MailboxTree`. */
  return Effect.fnUntraced(function* (account: AccountId, list: ReturnType<typeof tree.list> = tree.list(account)) {
    for (;;) {
      // Before the listing: what is recorded meanwhile may be newer than that.
      const known = yield* store.load(account);
      const listed = (yield* list).filter((mailbox) => !isHidden(mailbox));
      const now = yield* Clock.currentTimeMillis;
      const records = reconcile(known, listed, (identity) => ids.folderId(account, identity), now);
      const { prefix, delimiter } = listed[0] ?? { prefix: "", delimiter: null };
      if (!sameFolders(known, records) && !(yield* record(account, known, records, delimiter))) continue;
      const survey: Survey = { root: { prefix, delimiter }, listed, records, folders: foldersOf(listed, records) };
      return survey;
    }
  });
});
