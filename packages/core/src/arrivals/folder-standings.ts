import type { Folder } from "../folders/index.ts";
import type { FollowedMailbox, MailboxStanding } from "../watch/neighbours.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";

/** Returns the folders, INBOX excepted, that can hold messages. */
export const othersIn = (folders: ReadonlyArray<Folder>): ReadonlyArray<FollowedFolder> =>
  folders.filter(({ id, selectable }) => id !== INBOX.id && selectable);

/** Returns the present cursors of folders by the keys of their mailboxes. */
export const cursorsOf = (folders: ReadonlyArray<FollowedFolder>, standings: ReadonlyArray<MailboxStanding>) => {
  const keys = new Map(folders.map(({ key, path }) => [path, key]));
  return new Map(standings.flatMap(({ path, cursor }) => (keys.has(path) ? [[keys.get(path)!, cursor] as const] : [])));
};

/** Whether a mailbox is as it was when it was last polled. */
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

/** Returns a text that is the same as long as the server says the same of all mailboxes. */
export const textOf = (standings: ReadonlyArray<MailboxStanding>): string =>
  standings
    .map(({ path, cursor: { uidValidity, uidNext, highestModSeq }, counts }) =>
      [path, uidValidity, uidNext, highestModSeq, counts].join("\n"),
    )
    .join("\n\n");
