import type { ListedMailbox } from "../mail/index.ts";
import type { FolderRecord } from "./FolderRecord.ts";

/**
 * Returns the earlier record of each listed mailbox, by path; none for a new mailbox (spec 4.2). Except for INBOX,
 * roles are ignored, because a role may have moved to another mailbox. A mailbox is known if it has the MAILBOXID of a
 * record or, without MAILBOXID, the path and UIDVALIDITY of a record. The mailbox of a remaining record was renamed if
 * exactly one unknown mailbox has the record's UIDVALIDITY and at least its UIDNEXT, and no other remaining record fits
 * that mailbox. If both the former and the new path were known before and exist now, the mailbox that was at the new
 * path must have been renamed too. A mailbox at a known path is also the same if the server refuses its status, or if
 * only its UIDVALIDITY changed and no rename could explain the change.
 */
export const traceMailboxes = (
  known: ReadonlyArray<FolderRecord>,
  listed: ReadonlyArray<ListedMailbox>,
): ReadonlyMap<string, FolderRecord> => {
  const traced = new Map<string, FolderRecord>();
  const remaining = new Set(known);
  const settle = (mailbox: ListedMailbox, record: FolderRecord) => {
    traced.set(mailbox.path, record);
    remaining.delete(record);
  };
  const findUntraced = () => listed.filter(({ path }) => !traced.has(path));

  const [inbox, inboxRecord] = [listed.find(({ role }) => role === "inbox"), known.find(({ id }) => id === "inbox")];
  if (inbox !== undefined && inboxRecord !== undefined) settle(inbox, inboxRecord);

  const byMailboxId = new Map(
    [...remaining].flatMap((record) => (record.mailboxId === null ? [] : [[record.mailboxId, record]])),
  );
  for (const mailbox of findUntraced()) {
    const record = byMailboxId.get(mailbox.status?.mailboxId ?? "");
    if (record !== undefined && remaining.has(record)) settle(mailbox, record);
  }

  const byPath = new Map([...remaining].map((record) => [record.path, record]));
  for (const mailbox of findUntraced()) {
    const record = byPath.get(mailbox.path);
    if (record !== undefined && isSame(record, mailbox)) settle(mailbox, record);
  }

  const appeared = findUntraced();
  const present = new Set(listed.map((mailbox) => mailbox.path));
  const missing = [...remaining];
  const renamed = new Map<FolderRecord, ListedMailbox>();
  for (const record of missing) {
    const heirs = appeared.filter((mailbox) => couldBeRenamed(record, mailbox));
    const rivals = missing.filter((other) => heirs.some((mailbox) => couldBeRenamed(other, mailbox)));
    if (heirs.length === 1 && rivals.length === 1) renamed.set(record, heirs[0]!);
  }
  // If the server gives all mailboxes new UIDVALIDITYs, some of these may have belonged to other mailboxes. Without
  // this check, the change would look like renames.
  const isProven = (record: FolderRecord, { path }: ListedMailbox): boolean => {
    const former = byPath.get(path);
    return !present.has(record.path) || former === undefined || renamed.has(former);
  };
  for (let before = -1; before !== renamed.size;) {
    before = renamed.size;
    for (const [record, mailbox] of renamed) if (!isProven(record, mailbox)) renamed.delete(record);
  }
  for (const [record, mailbox] of renamed) settle(mailbox, record);

  for (const mailbox of findUntraced()) {
    const record = byPath.get(mailbox.path);
    if (record === undefined || !remaining.has(record) || !couldBeRenumbered(record, mailbox)) continue;
    const isElsewhere = appeared.some((other) => couldBeRenamed(record, other));
    const isAnother = [...remaining].some((other) => couldBeRenamed(other, mailbox));
    if (!isElsewhere && !isAnother) settle(mailbox, record);
  }
  return traced;
};

const isSame = (record: FolderRecord, mailbox: ListedMailbox): boolean =>
  mailbox.isClosed === true ||
  (record.uidValidity === (mailbox.status?.uidValidity ?? null) &&
    (record.mailboxId === null || mailbox.status?.mailboxId == null));

const couldBeRenamed = (record: FolderRecord, { status }: ListedMailbox): boolean =>
  status !== null &&
  record.mailboxId === null &&
  record.uidValidity === status.uidValidity &&
  record.uidNext !== null &&
  status.uidNext !== null &&
  status.uidNext >= record.uidNext;

/** Returns whether the UIDVALIDITY of a mailbox may have changed. A MAILBOXID stays with its mailbox. */
const couldBeRenumbered = (record: FolderRecord, { status }: ListedMailbox): boolean =>
  status !== null && record.uidValidity !== null && (record.mailboxId === null || status.mailboxId === null);
