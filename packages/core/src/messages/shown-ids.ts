import { Effect, Option } from "effect";
import { FolderRecords } from "../folders/index.ts";
import { type AccountId, type IdScope, OpaqueIds } from "../shared/index.ts";
import { IdScopes } from "../shared/neighbours.ts";
import { FollowedMailboxes, MovedMessages, OwnMoves } from "../watch/index.ts";
import { type MessagesAt, readLocations } from "../watch/neighbours.ts";
import type { InboxPage } from "./InboxPage.ts";

/** The ports and services that determine the ids of listed messages. */
export const shownIds = Effect.all({
  ids: OpaqueIds,
  scopes: IdScopes,
  moved: MovedMessages,
  ownMoves: OwnMoves,
  records: FolderRecords,
  mailboxes: FollowedMailboxes,
});
export type ShownIds = Effect.Success<typeof shownIds>;

/** Messages with the ids of their locations, if the caller knows these ids. */
type PlacedMessages = MessagesAt & { readonly ids?: ReadonlyArray<string> };

/**
 * Returns the ids of messages at their locations, in the given order (spec 5.2). A message that Postern moved keeps its
 * id. `isFinal` means that the ids will not change: a location gets another id only by a move to this location, and
 * every move is recorded before its message arrives. `scope` is the account's, if the caller knows it.
 */
export const idsAt = Effect.fnUntraced(function* (
  { ids, scopes, moved, ownMoves, records }: ShownIds,
  account: AccountId,
  places: ReadonlyArray<PlacedMessages>,
  scope?: IdScope,
) {
  const of = scope ?? (yield* scopes.of(account));
  let found = yield* moved.find(account, places);
  const begun = found.isMoving ? yield* moved.listBegun(account) : [];
  const isMoving = begun.some(({ toFolderId }) => places.some(({ folderId }) => folderId === toFolderId));
  if (isMoving) {
    const paths = new Map((yield* records.load(account)).map(({ key, path }) => [key, path]));
    const look = ownMoves.look(account, (key) => (key === "inbox" ? "INBOX" : paths.get(key)));
    // If one folder cannot be read, the others can still be shown.
    yield* Effect.catchTag(look, ["MailServerError", "MailboxCredentialsRejected"], ({ _tag }) =>
      Effect.logDebug("looking for moved messages failed", _tag),
    );
    found = yield* moved.find(account, places);
  }
  const locate = readLocations(found.left);
  const shown = places.map(({ folderId, uidValidity, uids, ids: known }) => {
    const own = known ?? ids.messageIds(of, folderId, uidValidity, uids);
    if (found.left.length === 0) return own;
    return uids.map((uid, n) => {
      const { id } = locate({ folderId, uidValidity, uid });
      const isOwn = id.folderId === folderId && id.uidValidity === uidValidity && id.uid === uid;
      return isOwn ? own[n]! : ids.messageIds(of, id.folderId, id.uidValidity, [id.uid])[0]!;
    });
  });
  return { ids: shown, isFinal: found.left.length === 0 && !isMoving };
});

/** The maximum number of folders remembered as compared, in memory. */
const MAX_COMPARED = 10_000;

/**
 * Returns a function that gives the messages of a kept page their ids. If every id encodes the message's present
 * location, the page keeps the ids, so that the next answer with the same page needs no look-up.
 */
export const pageIds = (on: ShownIds) => {
  const final = new WeakSet<InboxPage>();
  /** Folders that need no comparison by the follower after a change of UIDVALIDITY, the first found first. */
  const compared = new Set<string>();
  /**
   * Returns whether the messages of a folder have their earlier ids again after a change of the folder's UIDVALIDITY.
   */
  const isCompared = Effect.fnUntraced(function* (
    account: AccountId,
    scope: IdScope,
    { key: mailbox, uidValidity }: InboxPage["folder"],
  ) {
    const key = `${uidValidity} ${scope} ${mailbox}`;
    if (compared.has(key)) return true;
    const followed = yield* on.mailboxes.find(account, mailbox);
    if (Option.exists(followed, ({ cursor }) => cursor.uidValidity !== uidValidity)) return false;
    for (const oldest of compared) if (compared.size >= MAX_COMPARED) compared.delete(oldest);
    compared.add(key);
    return true;
  });
  const shown = new WeakMap<InboxPage, InboxPage>();
  return Effect.fnUntraced(function* (account: AccountId, scope: IdScope, page: InboxPage) {
    if (final.has(page)) return page;
    const { key: folderId, uidValidity } = page.folder;
    const place = {
      folderId,
      uidValidity,
      uids: page.emails.map(({ message }) => message.uid),
      ids: page.emails.map(({ id }) => id),
    };
    const { ids, isFinal } = yield* idsAt(on, account, [place], scope);
    // After a change of UIDVALIDITY, messages get their earlier ids once the follower has compared the folder.
    if (isFinal && (yield* isCompared(account, scope, page.folder))) final.add(page);
    const hasIds = ({ emails }: InboxPage) => emails.every(({ id }, n) => id === ids[0]![n]);
    const known = hasIds(page) ? page : shown.get(page);
    if (known !== undefined && hasIds(known)) return known;
    const next = { ...page, emails: page.emails.map((entry, n) => ({ ...entry, id: ids[0]![n]! })) };
    shown.set(page, next);
    return next;
  });
};
