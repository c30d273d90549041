import type { Folder } from "../folders/index.ts";
import type { FollowedMailbox, MailboxStanding } from "../watch/neighbours.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";

/** Returns the folders other than INBOX that can hold messages. */
export const othersIn = (folders: ReadonlyArray<Folder>): ReadonlyArray<FollowedFolder> =>
  folders.filter(({ id, selectable }) => id !== INBOX.id && selectable);

/** Returns the present cursors of folders by mailbox key. */
export const cursorsOf = (folders: ReadonlyArray<FollowedFolder>, standings: ReadonlyArray<MailboxStanding>) => {
  const keys = new Map(folders.map(({ key, path }) => [path, key]));
  return new Map(standings.flatMap(({ path, cursor }) => (keys.has(path) ? [[keys.get(path)!, cursor] as const] : [])));
};

/** Returns whether a mailbox is unchanged since its last poll. */
export const isUnchanged = (
  { cursor, counts }: MailboxStanding,
  known: FollowedMailbox | undefined,
  before: string | null | undefined,
): boolean =>
  known !== undefined &&
  known.cursor.uidValidity === cursor.uidValidity &&
  known.cursor.uidNext >= cursor.uidNext &&
  known.cursor.highestModSeq === cursor.highestModSeq &&
  counts === (before ?? null);

/** Returns a text for comparing standings: two texts are equal if the server reported the same state of all mailboxes. */
export const textOf = (standings: ReadonlyArray<MailboxStanding>): string =>
  standings
    .map(({ path, cursor: { uidValidity, uidNext, highestModSeq }, counts }) =>
      [path, uidValidity, uidNext, highestModSeq, counts].join("\n"),
    )
    .join("\n\n");
