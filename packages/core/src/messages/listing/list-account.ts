import { Effect, Option } from "effect";
import { AccountDirectory } from "../../accounts/index.ts";
import { followsAllFolders } from "../../accounts/neighbours.ts";
import { foldersIn, isChosen } from "../../events/neighbours.ts";
import { Folders } from "../../folders/index.ts";
import { FolderNotFound, type MailboxAccessError } from "../../mail/index.ts";
import type { AccountId, InputInvalid } from "../../shared/index.ts";
import { FollowedMailboxes } from "../../watch/index.ts";
import { checkListing } from "../check-messages.ts";
import { CursorMalformed, type CursorStale, ListingNotReady } from "../errors.ts";
import { type Cursor, encodeCursor, NO_UIDVALIDITY, readCursor, startOf } from "../page.ts";
import { MailboxReader } from "../ports/MailboxReader.ts";
import { MAX_LIMIT } from "./rules.ts";
import type { FolderEntry } from "../search-folders.ts";
import { idsAt, shownIds } from "../shown-ids.ts";
import { type FolderPart, readPart } from "./read-part.ts";

/** A request for the messages of an account (spec 5.7). */
export interface AccountListingRequest {
  /** Ids of folders, separated by commas; `*`, the default, means all but Junk and Trash. */
  readonly folders?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Messages of an account, folder by folder, in each the newest arrival first. */
export interface AccountListing {
  readonly emails: ReadonlyArray<FolderEntry>;
  readonly nextCursor: string | null;
}

export type AccountListingError =
  | InputInvalid
  | MailboxAccessError
  | FolderNotFound
  | CursorMalformed
  | CursorStale
  | ListingNotReady;

/** The maximum number of folders opened for one answer. */
const MAX_OPENED = 50;

/** The ports and services that list an account. */
export const accountListing = Effect.all({
  folders: Folders,
  reader: MailboxReader,
  mailboxes: FollowedMailboxes,
  directory: AccountDirectory,
  followsAllFolders,
  names: shownIds,
});
type ListingPorts = Effect.Success<typeof accountListing>;

/**
 * Returns a part of the messages of all folders (spec 5.7). If the account follows all folders, returns only messages
 * that the follower recorded. A message that is not recorded yet is announced later, possibly with another id. The
 * state of the folders is read before their messages, so that a message that moves meanwhile is listed or announced.
 */
export const listAccount = Effect.fn("listAccount")(function* (
  ports: ListingPorts,
  account: AccountId,
  request: AccountListingRequest,
): Effect.fn.Return<AccountListing, AccountListingError> {
  yield* checkListing(request);
  const choice = foldersIn(request.folders);
  const limit = request.limit ?? MAX_LIMIT;
  const cursor = request.cursor === undefined ? undefined : yield* readCursor(request.cursor);
  if (cursor !== undefined && !isChosen(choice, cursor.folderId)) return yield* new CursorMalformed();

  const followed = Option.getOrNull(yield* ports.mailboxes.listFollowed(account));
  if (followed === null && ports.followsAllFolders(yield* ports.directory.find(account)))
    return yield* new ListingNotReady();
  const all = yield* ports.folders.list(account);
  const isThere = (id: string) => !id.startsWith("f_") || all.some((one) => one.id === id);
  if (cursor === undefined && !choice.every(isThere)) return yield* new FolderNotFound();
  const rest = all
    // A folder with unknown counters may have messages. If the listing left the folder out, a client would delete its
    // copies of these messages.
    .filter(({ key, selectable, totalCount }) => (selectable ? totalCount > 0 : followed?.has(key) === true))
    .filter(({ id }) => isChosen(choice, id))
    .filter(({ id }) => cursor === undefined || order(cursor.folderId) <= order(id))
    .toSorted((one, other) => (order(one.id) < order(other.id) ? -1 : 1));

  const parts: Array<FolderPart> = [];
  let room = limit;
  let next: Cursor | undefined;
  for (const [n, folder] of rest.entries()) {
    if (room === 0 || n === MAX_OPENED) {
      next = startOf(folder);
      break;
    }
    // A folder that appeared after the state was read is skipped, because each of its messages is announced.
    const known = followed === null ? null : followed.get(folder.key);
    if (known === undefined) continue;
    const isBegun = cursor?.folderId === folder.id && cursor.uidValidity !== NO_UIDVALIDITY;
    const wanted = { folder, known, cursor: isBegun ? cursor : undefined };
    const part = yield* readPart(ports, account, wanted, room);
    if (part === null) continue;
    parts.push(part);
    room -= part.messages.length;
    next = part.next;
    if (next !== undefined) break;
  }
  const places = parts.map(({ folder: { key }, uidValidity, messages }) => ({
    folderId: key,
    uidValidity,
    uids: messages.map(({ uid }) => uid),
  }));
  const { ids } = yield* idsAt(ports.names, account, places);
  return {
    emails: parts.flatMap(({ folder: { id: folderId, path }, uidValidity, messages }, n) =>
      messages.map((message, m) => ({ folderId, path, uidValidity, id: ids[n]![m]!, message })),
    ),
    nextCursor: next === undefined ? null : encodeCursor(next),
  };
});

/**
 * Returns the sort key of a folder in the order of the account's listing: INBOX first, Junk and Trash last. The sort
 * key needs no listing of folders.
 */
const order = (id: string): string => `${id === "inbox" ? 0 : id === "junk" ? 2 : id === "trash" ? 3 : 1} ${id}`;
