import type { FolderRecord } from "./FolderRecord.ts";
import { isFolderRole } from "../mail/neighbours.ts";
import { type ListedMailbox } from "../mail/index.ts";

/**
 * Returns the record of every listed mailbox: the known record, followed through renames if possible, otherwise a new
 * record (spec 4).
 *
 * A mailbox is known if it has the MAILBOXID of a record or, without MAILBOXID, the path and UIDVALIDITY of one. A
 * rename is recognised if one known path vanished and exactly one unknown path appeared with its UIDVALIDITY and a
 * UIDNEXT that is not lower. A mailbox with another UIDVALIDITY at a known path keeps its id, unless a rename could explain
 * it. So does a mailbox whose status the server refuses. Special folders are identified by role alone.
 *
 * `mint` creates the id of a mailbox listed for the first time, at `now`, from its identity.
 */
export const reconcile = (
  known: ReadonlyArray<FolderRecord>,
  listed: ReadonlyArray<ListedMailbox>,
  mint: (identity: string) => string,
  now: number,
): ReadonlyArray<FolderRecord> => {
  const before = new Map(known.map((record) => [record.id, record]));
  const remaining = new Map(known.filter(({ id }) => !isFolderRole(id)).map((record) => [record.id, record]));
  const ids = new Map<string, string>();
  const settle = (mailbox: ListedMailbox, id: string) => {
    ids.set(mailbox.path, id);
    remaining.delete(id);
  };
  const findUnsettled = () => listed.filter((mailbox) => !ids.has(mailbox.path));

  for (const mailbox of listed) if (mailbox.role !== null) settle(mailbox, mailbox.role);

  const byMailboxId = new Map(
    [...remaining.values()].flatMap((record) => (record.mailboxId === null ? [] : [[record.mailboxId, record.id]])),
  );
  for (const mailbox of findUnsettled()) {
    const id = byMailboxId.get(mailbox.status?.mailboxId ?? "");
    if (id !== undefined && remaining.has(id)) settle(mailbox, id);
  }

  const byPath = new Map([...remaining.values()].map((record) => [record.path, record]));
  for (const mailbox of findUnsettled()) {
    const record = byPath.get(mailbox.path);
    if (record !== undefined && isSame(record, mailbox)) settle(mailbox, record.id);
  }

  const appeared = findUnsettled();
  const present = new Set(listed.map((mailbox) => mailbox.path));
  const vanished = [...remaining.values()].filter((record) => !present.has(record.path));
  for (const record of vanished) {
    const heirs = appeared.filter((mailbox) => couldBeRenamed(record, mailbox));
    const rivals = vanished.filter((other) => heirs.some((mailbox) => couldBeRenamed(other, mailbox)));
    if (heirs.length === 1 && rivals.length === 1) settle(heirs[0]!, record.id);
  }

  for (const mailbox of findUnsettled()) {
    const record = byPath.get(mailbox.path);
    if (record === undefined || !remaining.has(record.id) || !couldBeRenumbered(record, mailbox)) continue;
    const isElsewhere = appeared.some((other) => couldBeRenamed(record, other));
    const isAnother = [...remaining.values()].some((other) => couldBeRenamed(other, mailbox));
    if (!isElsewhere && !isAnother) settle(mailbox, record.id);
  }

  const taken = new Set(ids.values());
  return listed.map((mailbox) => {
    const id = ids.get(mailbox.path) ?? mintFree(mailbox, taken, mint);
    taken.add(id);
    const record = before.get(id);
    if (record !== undefined && mailbox.isClosed === true) return { ...record, path: mailbox.path };
    return recordOf(id, mailbox, record?.createdAt ?? now);
  });
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

/** Whether a mailbox may have got another UIDVALIDITY. A MAILBOXID stays with its mailbox. */
const couldBeRenumbered = (record: FolderRecord, { status }: ListedMailbox): boolean =>
  status !== null && record.uidValidity !== null && (record.mailboxId === null || status.mailboxId === null);

/** A mailbox recreated under an old path may have the same identity that gave a renamed mailbox its id. */
const mintFree = (mailbox: ListedMailbox, taken: ReadonlySet<string>, mint: (identity: string) => string): string => {
  const identity = mailbox.status?.mailboxId ?? `${mailbox.status?.uidValidity ?? ""}/${mailbox.path}`;
  let id = mint(identity);
  for (let again = 2; taken.has(id); again++) id = mint(`${identity}#${again}`);
  return id;
};

const recordOf = (id: string, { path, status }: ListedMailbox, createdAt: number): FolderRecord => ({
  id,
  path,
  mailboxId: status?.mailboxId ?? null,
  uidValidity: status?.uidValidity ?? null,
  uidNext: status?.uidNext ?? null,
  createdAt,
});

/** Whether two sets of records are equal apart from UIDNEXT, which is only a lower bound. */
export const sameFolders = (before: ReadonlyArray<FolderRecord>, after: ReadonlyArray<FolderRecord>): boolean => {
  const byId = new Map(before.map((record) => [record.id, record]));
  return (
    before.length === after.length &&
    after.every((record) => {
      const old = byId.get(record.id);
      return (
        old !== undefined &&
        old.path === record.path &&
        old.mailboxId === record.mailboxId &&
        old.uidValidity === record.uidValidity
      );
    })
  );
};
