import { Effect } from "effect";
import type { Folder, Folders } from "../folders/index.ts";
import type { FoundUids, MessageSearch } from "./ports/MessageSearch.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountId, OpaqueIds } from "../shared/index.ts";
import type { SearchCharsetRefused } from "./errors.ts";
import type { InboxEntry } from "./InboxPage.ts";
import type { SearchCriteria } from "./SearchCriteria.ts";

/** The search results of one folder. */
export interface FolderFinds extends FoundUids {
  readonly folder: Pick<Folder, "id" | "path">;
}

/** A listed message with the path of its folder. */
export interface FolderEntry extends InboxEntry {
  readonly folderId: string;
  readonly uidValidity: number;
  readonly path: string;
}

/** Concurrent folder searches per request: with more, the searches wait for connections and the request times out. */
export const MAX_CONCURRENT_FOLDERS = 2;

/** Returns the selectable folders, INBOX first, Junk and Trash last. */
export const searchableFolders = Effect.fnUntraced(function* (folders: Folders["Service"], account: AccountId) {
  const rank = ({ role }: Folder) => (role === "trash" ? 2 : role === "junk" ? 1 : 0);
  const selectable = (yield* folders.list(account)).filter(({ selectable }) => selectable);
  return selectable.toSorted((one, other) => rank(one) - rank(other));
});

/**
 * Searches folders; a folder deleted meanwhile has no results. A message that the server recognises in several of them is
 * a result of the first only.
 */
export const searchFolders = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  account: AccountId,
  where: ReadonlyArray<FolderFinds["folder"]>,
  criteria: SearchCriteria,
): Effect.fn.Return<ReadonlyArray<FolderFinds>, MailboxAccessError | SearchCharsetRefused> {
  const found = yield* Effect.forEach(
    where,
    (folder) =>
      Effect.map(search.find(account, folder.path, criteria), (uids): ReadonlyArray<FolderFinds> => [
        { folder, ...uids },
      ]).pipe(Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed([]))),
    { concurrency: MAX_CONCURRENT_FOLDERS },
  );
  return yield* withoutCopies(search, account, found.flat());
});

const withoutCopies = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  account: AccountId,
  finds: ReadonlyArray<FolderFinds>,
) {
  if (finds.filter(({ uids }) => uids.length > 0).length < 2) return finds;
  const emailIds: Array<ReadonlyMap<number, string>> = [];
  for (const { folder, uidValidity, uids } of finds) {
    const ids =
      uids.length === 0
        ? new Map<number, string>()
        : yield* Effect.catchTag(
            search.emailIds(account, { path: folder.path, uidValidity }, uids),
            "MessageNotFound",
            () => Effect.succeed(new Map<number, string>()),
          );
    // A server has ids for all messages or for none.
    if (uids.length > 0 && ids.size === 0) return finds;
    emailIds.push(ids);
  }
  return distinctFinds(finds, emailIds);
});

/** Reads the messages of a folder with these UIDs, newest first, without those deleted meanwhile. */
export const readFinds = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  ids: OpaqueIds["Service"],
  account: AccountId,
  { folder: { id, path }, uidValidity }: FolderFinds,
  uids: ReadonlyArray<number>,
) {
  if (uids.length === 0) return [];
  const messages = yield* Effect.catchTag(
    search.summaries(account, { path, uidValidity }, uids),
    "MessageNotFound",
    () => Effect.succeed([]),
  );
  const names = ids.messageIds(
    account,
    id,
    uidValidity,
    messages.map(({ uid }) => uid),
  );
  return messages
    .map((message, n): FolderEntry => ({ id: names[n]!, folderId: id, path, uidValidity, message }))
    .toReversed();
});

/**
 * Returns the results without those that an earlier folder holds too: a message with several labels (Gmail), or its
 * copies. `emailIds` has the server's id of each message, per folder.
 */
const distinctFinds = (
  finds: ReadonlyArray<FolderFinds>,
  emailIds: ReadonlyArray<ReadonlyMap<number, string>>,
): ReadonlyArray<FolderFinds> => {
  const before = new Set<string>();
  return finds.map((found, n) => {
    const idOf = (uid: number) => emailIds[n]?.get(uid);
    const isFirst = (uid: number) => !before.has(idOf(uid) ?? "");
    const [uids, unread] = [found.uids.filter(isFirst), found.unread.filter(isFirst)];
    for (const uid of uids) {
      const id = idOf(uid);
      if (id !== undefined) before.add(id);
    }
    return { ...found, uids, unread };
  });
};
