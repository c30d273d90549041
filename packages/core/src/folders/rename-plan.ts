import type { FolderRecord } from "./FolderRecord.ts";
import { isWithin } from "./folder-place.ts";
import type { ListedMailbox } from "../mail/index.ts";
import type { MailboxKey } from "../shared/neighbours.ts";

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Returns the new path of each listed mailbox if one mailbox is renamed with its children; parents first. */
export const renamePlan = (listed: ReadonlyArray<ListedMailbox>, from: string, to: string): ReadonlyArray<Rename> =>
  listed
    .filter(({ path, delimiter }) => isWithin(path, from, delimiter))
    .map(({ path }) => ({ from: path, to: to + path.slice(from.length) }))
    .toSorted((one, other) => one.from.length - other.from.length);

/** Returns the remaining renames of a plan: children that the server did not rename, without `\Noselect` names. */
export const remainingRenames = (
  plan: ReadonlyArray<Rename>,
  listed: ReadonlyArray<ListedMailbox>,
): ReadonlyArray<Rename> => {
  const byPath = new Map(listed.map((mailbox) => [mailbox.path, mailbox]));
  return plan.filter(({ from, to }) => byPath.get(from)?.status != null && !byPath.has(to));
};

/**
 * Returns the records after a rename by Postern of the mailboxes with these keys. Each keeps its id at the new path,
 * whatever its new UIDVALIDITY is. Another mailbox may have got a former path meanwhile.
 */
export const renameRecords = (
  records: ReadonlyArray<FolderRecord>,
  plan: ReadonlyArray<Rename>,
  renamed: ReadonlySet<MailboxKey>,
  listed: ReadonlyArray<ListedMailbox>,
): ReadonlyArray<FolderRecord> => {
  const targets = new Map(plan.map(({ from, to }) => [from, to]));
  const byPath = new Map(listed.map((mailbox) => [mailbox.path, mailbox]));
  return records.map((record) => {
    const mailbox = byPath.get(targets.get(record.path) ?? "");
    if (mailbox === undefined || !renamed.has(record.key)) return record;
    return {
      ...record,
      path: mailbox.path,
      mailboxId: mailbox.status?.mailboxId ?? null,
      uidValidity: mailbox.status?.uidValidity ?? null,
      uidNext: mailbox.status?.uidNext ?? null,
    };
  });
};
