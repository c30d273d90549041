import type { FolderRecord } from "./FolderRecord.ts";
import { isFolderRole } from "../mail/neighbours.ts";
import { type ListedMailbox } from "../mail/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";
import { traceMailboxes } from "./trace-mailboxes.ts";

/**
 * Returns the record of every listed mailbox (spec 4.2). A mailbox keeps its key, by which locations name the mailbox.
 * The id of a special folder is its role, whichever mailbox has the role; any other mailbox keeps its id. `mint`
 * creates the id of a mailbox listed for the first time, at `now`, from its identity.
 */
export const reconcile = (
  known: ReadonlyArray<FolderRecord>,
  listed: ReadonlyArray<ListedMailbox>,
  mint: (identity: string) => FolderId,
  now: number,
): ReadonlyArray<FolderRecord> => {
  const traced = traceMailboxes(known, listed);
  const former = new Set<string>(known.flatMap(({ id, key }) => [id, key]));
  const ids = new Map<string, FolderId>();
  for (const mailbox of listed) {
    const id = mailbox.role ?? ordinaryId(traced.get(mailbox.path));
    if (id !== undefined) ids.set(mailbox.path, id);
  }
  const taken = new Set<string>([...ids.values(), ...known.map(({ key }) => key)]);
  const mintFor = (mailbox: ListedMailbox): string => {
    const id = mintFree(mailbox, taken, mint);
    taken.add(id);
    return id;
  };
  return listed.map((mailbox) => {
    const before = traced.get(mailbox.path);
    const id: FolderId = ids.get(mailbox.path) ?? mintFor(mailbox);
    // If a new mailbox got the key of an earlier mailbox, message ids of the earlier mailbox would open messages of the
    // new one.
    const key: MailboxKey = before?.key ?? (former.has(id) ? mintFor(mailbox) : (id as string));
    if (before !== undefined && mailbox.isClosed === true) return { ...before, id, path: mailbox.path };
    return recordOf(id, key, mailbox, before?.createdAt ?? now);
  });
};

/** Returns the id of a mailbox without a role: its present id, or its earlier id if it lost the role. */
const ordinaryId = (before: FolderRecord | undefined): FolderId | undefined => {
  if (before === undefined) return undefined;
  if (!isFolderRole(before.id)) return before.id;
  return isFolderRole(before.key) ? undefined : (before.key as string);
};

/**
 * Creates an unused id. A mailbox recreated under an old path may have the same identity as a renamed mailbox, which
 * already has the id.
 */
const mintFree = (mailbox: ListedMailbox, taken: ReadonlySet<string>, mint: (identity: string) => FolderId): string => {
  const identity = mailbox.status?.mailboxId ?? `${mailbox.status?.uidValidity ?? ""}/${mailbox.path}`;
  let id = mint(identity);
  for (let again = 2; taken.has(id); again++) id = mint(`${identity}#${again}`);
  return id;
};

const recordOf = (id: FolderId, key: MailboxKey, { path, status }: ListedMailbox, createdAt: number): FolderRecord => ({
  id,
  key,
  path,
  mailboxId: status?.mailboxId ?? null,
  uidValidity: status?.uidValidity ?? null,
  uidNext: status?.uidNext ?? null,
  createdAt,
});

/** Returns whether two sets of records are equal apart from UIDNEXT, which is only a lower bound. */
export const sameFolders = (before: ReadonlyArray<FolderRecord>, after: ReadonlyArray<FolderRecord>): boolean => {
  const byId = new Map(before.map((record) => [record.id, record]));
  return (
    before.length === after.length &&
    after.every((record) => {
      const old = byId.get(record.id);
      return (
        old !== undefined &&
        old.key === record.key &&
        old.path === record.path &&
        old.mailboxId === record.mailboxId &&
        old.uidValidity === record.uidValidity
      );
    })
  );
};
