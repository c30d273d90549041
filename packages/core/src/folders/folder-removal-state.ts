import type { FolderRemoval, MessageBatch } from "./FolderRemoval.ts";
import type { FolderSnapshot } from "./FolderSnapshot.ts";
import { REMOVAL_PREFIX } from "./folder-name.ts";
import { isWithin } from "./folder-place.ts";
import type { ListedMailbox } from "../mail/index.ts";

/** The next step of a removal, chosen from a listing. */
export type RemovalStep =
  | { readonly _tag: "Hide" }
  /** The mailboxes are already hidden. */
  | { readonly _tag: "StartEmptying" }
  | { readonly _tag: "Move"; readonly from: string }
  /** A round has ended: list the mailboxes again. */
  | { readonly _tag: "List" }
  | { readonly _tag: "Remove"; readonly path: string }
  /** Rename the hidden mailboxes back. */
  | { readonly _tag: "Restore" }
  /** The folder was renamed back. */
  | { readonly _tag: "Restored" }
  | { readonly _tag: "Finish" };

/** The rounds of one attempt. They are not stored, so a worker that resumes must check again that the mailboxes are empty. */
export interface Rounds {
  /** The number of consecutive rounds that found every mailbox empty. */
  readonly empty: number;
  /** Mailboxes found empty in this round. */
  readonly seen: ReadonlyArray<string>;
  readonly moved: boolean;
}

export const FIRST_ROUND: Rounds = { empty: 0, seen: [], moved: false };

/** Returns the name under which a removal hides its mailbox, at the top of the namespace. */
export const hiddenPath = (prefix: string, id: string): string => `${prefix}${REMOVAL_PREFIX}${id.toLowerCase()}`;

/** Returns whether a mailbox is being removed or is below such a mailbox (spec 4.6: never shown). */
export const isHidden = ({ path, prefix }: Pick<ListedMailbox, "path" | "prefix">): boolean =>
  path.startsWith(prefix + REMOVAL_PREFIX);

/**
 * Returns the next step. A server removes a mailbox even if mail has just arrived in it. Mailboxes are therefore
 * removed only after two consecutive rounds found all of them empty, the deepest first.
 */
export const nextStep = (removal: FolderRemoval, rounds: Rounds, listed: ReadonlyArray<ListedMailbox>): RemovalStep => {
  const hidden = hiddenMailboxes(removal, listed);
  if (removal.phase === "finished") return { _tag: "Finish" };
  if (removal.phase === "restoring") {
    if (hidden.length > 0) return { _tag: "Restore" };
    return { _tag: listed.some(({ path }) => path === removal.path) ? "Restored" : "Finish" };
  }
  if (removal.phase === "hiding") {
    if (isStillThere(removal, listed)) return { _tag: "Hide" };
    return { _tag: hidden.length === 0 ? "Finish" : "StartEmptying" };
  }
  if (removal.destination !== null && rounds.empty < 2) {
    if (removal.batch !== null) return { _tag: "Move", from: removal.batch.mailbox };
    const next = hidden.find(({ path, status }) => status !== null && !rounds.seen.includes(path));
    return next === undefined ? { _tag: "List" } : { _tag: "Move", from: next.path };
  }
  const deepest = hidden.toSorted((one, other) => other.path.length - one.path.length)[0];
  return deepest === undefined ? { _tag: "Finish" } : { _tag: "Remove", path: deepest.path };
};

/** Returns whether the folder, or a child that an interrupted rename left behind, still has its old path. */
const isStillThere = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): boolean => {
  const there = listed.find(({ path }) => path === removal.path);
  if (there !== undefined && there.status !== null) return there.status.uidValidity === removal.uidValidity;
  if (there !== undefined && removal.uidValidity === null && hiddenMailboxes(removal, listed).length === 0) return true;
  return subfoldersOf(removal, listed).some((mailbox) => mailbox.status !== null && isRemoved(removal, mailbox));
};

/** Returns whether the folder has a subfolder that was made after the removal began, and must not be removed. */
export const hasNewSubfolder = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): boolean =>
  subfoldersOf(removal, listed).some((mailbox) => !isRemoved(removal, mailbox));

/** Returns whether a mailbox that is not hidden yet is the folder or a subfolder that it had when the removal began. */
export const isRemoved = ({ path: removed, folders }: FolderRemoval, { path, status }: ListedMailbox): boolean =>
  path === removed ||
  folders.some((one) => one.path === path && (status === null || status.uidValidity === one.uidValidity));

const subfoldersOf = ({ path: removed, delimiter }: FolderRemoval, listed: ReadonlyArray<ListedMailbox>) =>
  listed.filter(({ path }) => path !== removed && isWithin(path, removed, delimiter));

/** Returns a removal that has hidden nothing, with the paths that its folders have now; the same removal if its folder has its path. */
export const followFolder = (removal: FolderRemoval, { records }: Pick<FolderSnapshot, "records">): FolderRemoval => {
  const there = records.find(({ id }) => id === removal.folderId);
  if (there === undefined || there.path === removal.path) return removal;
  const { path, uidValidity } = there;
  const known = new Set(removal.folders.map(({ id }) => id));
  const folders = records
    .filter((record) => known.has(record.key) && isWithin(record.path, path, removal.delimiter))
    .map((record) => ({ id: record.key, path: record.path, uidValidity: record.uidValidity }));
  return { ...removal, path, uidValidity, folders };
};

/** Returns an unused name: the wanted name, with a number appended if it is taken. */
export const freePath = (wanted: string, listed: ReadonlyArray<ListedMailbox>): string => {
  const taken = new Set(listed.map(({ path }) => path));
  let path = wanted;
  for (let n = 2; taken.has(path); n++) path = `${wanted} (${n})`;
  return path;
};

/** Returns the mailboxes that a removal has hidden. */
export const hiddenMailboxes = (
  removal: FolderRemoval,
  listed: ReadonlyArray<ListedMailbox>,
): ReadonlyArray<ListedMailbox> => listed.filter(({ path }) => isWithin(path, removal.hiddenPath, removal.delimiter));

/**
 * Returns the removal after a listing. Messages that are missing since the last listing count as moved, because the
 * response to the move may have been lost.
 */
export const recount = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): FolderRemoval => {
  const remaining = hiddenMailboxes(removal, listed).reduce((sum, { status }) => sum + (status?.total ?? 0), 0);
  return { ...removal, moved: removal.moved + Math.max(0, removal.remaining - remaining), remaining };
};

/** Returns the removal in the phase `emptying`, with its messages counted. */
export const startEmptying = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): FolderRemoval => ({
  ...recount(removal, listed),
  phase: "emptying",
  moved: 0,
});

/** Returns the removal before a batch is moved. */
export const startBatch = (removal: FolderRemoval, batch: MessageBatch): FolderRemoval => ({ ...removal, batch });

/** Returns the removal after a batch was moved. */
export const completeBatch = (removal: FolderRemoval, count: number): FolderRemoval => ({
  ...removal,
  moved: removal.moved + count,
  remaining: Math.max(0, removal.remaining - count),
  batch: null,
});

/** Returns the rounds after a batch was moved out of a mailbox, or after the mailbox was found empty. */
export const afterVisit = (rounds: Rounds, path: string, isEmpty: boolean): Rounds =>
  isEmpty ? { ...rounds, seen: [...rounds.seen, path] } : { ...rounds, moved: true };

/** Returns the rounds at the start of the next round. */
export const nextRound = ({ empty, moved: some }: Rounds): Rounds => ({ ...FIRST_ROUND, empty: some ? 0 : empty + 1 });

export const finish = (removal: FolderRemoval): FolderRemoval => ({ ...removal, phase: "finished" });
