import { Clock, Effect, Option } from "effect";
import type { ListedMailbox, MailboxAccessError } from "../mail/index.ts";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, writeEvent } from "../events/index.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import type { FolderRemoval } from "./FolderRemoval.ts";
import { hiddenMailboxes } from "./folder-removal-state.ts";
import type { FolderRemovals } from "./ports/FolderRemovals.ts";
import type { MailboxTree } from "./ports/MailboxTree.ts";
import { changeFolders, type FolderWriter } from "./record-folders.ts";

/** The ports that record the end of a removal. */
export type RemovalWriter = FolderWriter & { readonly journal: FolderRemovals["Service"] };

/** Returns whether the server lists mailboxes that the removal has hidden; undefined if the server does not answer. */
export const hidesMailboxes = (tree: MailboxTree["Service"], removal: FolderRemoval) =>
  Effect.map(Effect.option(tree.list(removal.account)), (listed) =>
    Option.getOrUndefined(Option.map(listed, (there) => hiddenMailboxes(removal, there).length > 0)),
  );

/**
 * Deletes a failed removal from the journal, and publishes `folder.delete_failed` if a reason is given. Fails, like
 * `save`, if the lease was lost.
 */
export const endRemoval = (
  { journal, publisher, ids, entropy, transaction }: RemovalWriter,
  removal: FolderRemoval,
  reason: string | undefined,
  save: Effect.Effect<void, MailboxAccessError>,
): Effect.Effect<void, MailboxAccessError> =>
  transaction.run(
    Effect.gen(function* () {
      yield* save;
      yield* journal.forget(removal.id);
      if (reason === undefined) return;
      const now = yield* Clock.currentTimeMillis;
      const { folderId: id, path, delimiter } = removal;
      const name = delimiter === null ? path : path.slice(path.lastIndexOf(delimiter) + 1);
      const random = yield* entropy.id(128);
      const data = { id, name, path, reason };
      yield* publisher.publish([
        writeEvent(eventId(now, random), eventAccount(ids, removal.account), "folder.delete_failed", now, data),
      ]);
    }),
  );

/** Ends a removal whose folder was renamed back, and restores the folder's record with its id. */
export const endRestoredRemoval = Effect.fnUntraced(function* (
  writer: RemovalWriter,
  removal: FolderRemoval,
  mailbox: ListedMailbox,
  save: Effect.Effect<void, MailboxAccessError>,
) {
  yield* changeFolders(writer, removal.account, removal.delimiter, (known) => [
    ...known.filter(({ id, path }) => id !== removal.folderId && path !== mailbox.path),
    recordOf(removal, mailbox),
  ]);
  yield* endRemoval(writer, removal, removal.reason ?? "the folder was not removed", save);
});

/** Returns the removed folder itself, which contains the others. */
const removedFolder = (folders: FolderRemoval["folders"]) =>
  folders.toSorted((one, other) => one.path.length - other.path.length)[0];

const recordOf = ({ folderId, folders, begunAt }: FolderRemoval, { path, status }: ListedMailbox): FolderRecord => ({
  id: folderId,
  key: removedFolder(folders)?.id ?? (folderId as string),
  path,
  mailboxId: status?.mailboxId ?? null,
  uidValidity: status?.uidValidity ?? null,
  uidNext: status?.uidNext ?? null,
  createdAt: begunAt,
});
