import type { MailboxCursor } from "@postern/core/mail";
import type { SeenMessage } from "@postern/core/watch";
import type { FollowedMailboxRow, SeenMessageRow } from "../tables/watch.ts";
import { columnsOf, fingerprintOf, replaceNul } from "./fingerprint-columns.ts";

const NO_LABELS: ReadonlyArray<string> = [];

/** Returns the message of a row. */
export const seenOfRow = (row: SeenMessageRow): SeenMessage => ({
  ...fingerprintOf(row),
  uid: row.uid,
  unread: (row.flags & 1) !== 0,
  flagged: (row.flags & 2) !== 0,
  answered: (row.flags & 4) !== 0,
  labels: row.labels === null ? null : row.labels === "" ? NO_LABELS : row.labels.split("\n"),
});

/** Returns the row of a message. */
export const seenRow = (account: string, folderId: string, message: SeenMessage): SeenMessageRow => ({
  ...columnsOf(account, folderId, message),
  uid: message.uid,
  flags: (message.unread ? 1 : 0) | (message.flagged ? 2 : 0) | (message.answered ? 4 : 0),
  labels: replaceNul(message.labels?.join("\n") ?? null),
});

export const cursorColumns = ({ uidValidity, uidNext, highestModSeq }: MailboxCursor, seenFrom: number) => ({
  uid_validity: uidValidity,
  uid_next: uidNext,
  highest_mod_seq: highestModSeq,
  seen_from: seenFrom,
});

/** Returns the state of a followed mailbox. */
export const followedOfRow = (row: FollowedMailboxRow) => ({
  cursor: { uidValidity: row.uid_validity, uidNext: row.uid_next, highestModSeq: row.highest_mod_seq },
  seenFrom: row.seen_from,
});
