import { Effect } from "effect";
import type { Folder, Folders } from "../folders/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountId, OpaqueIds } from "../shared/index.ts";
import type { SearchCharsetRefused } from "./errors.ts";
import { distinctFinds } from "./distinct-finds.ts";
import type { FolderFinds } from "./FolderFinds.ts";
import type { InboxEntry } from "./InboxPage.ts";
import type { MessageSearch } from "./ports/MessageSearch.ts";
import type { SearchCriteria } from "./SearchCriteria.ts";

/** A listed message with the path of its folder. */
export interface FolderEntry extends InboxEntry {
  readonly uidValidity: number;
  readonly path: string;
}

/** Concurrent folder searches per request: with more, the searches wait for connections and the request times out. */
const MAX_CONCURRENT_FOLDERS = 2;

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
  return messages.map((message, n): FolderEntry => ({ id: names[n]!, path, uidValidity, message })).toReversed();
});
