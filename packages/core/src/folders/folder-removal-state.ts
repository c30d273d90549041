import type { FolderRemoval, MessageBatch } from "./FolderRemoval.ts";
import { REMOVAL_PREFIX } from "./folder-name.ts";
import { isWithin } from "./folder-place.ts";
import type { ListedMailbox } from "../mail/index.ts";

/** What is to be done next about a removal, by what the server lists. */
export type RemovalStep =
  | { readonly _tag: "Hide" }
  /** Hidden already: go on from there. */
  | { readonly _tag: "Enter" }
  | { readonly _tag: "Move"; readonly from: string }
  /** List again: a round through the mailboxes has ended. */
  | { readonly _tag: "Look" }
  | { readonly _tag: "Remove"; readonly path: string }
  /** Rename the hidden mailboxes back. */
  | { readonly _tag: "Restore" }
  /** The folder has its name again. */
  | { readonly _tag: "Restored" }
  | { readonly _tag: "Finish" };

/** The rounds of one attempt, never kept: a worker that resumes has to see again that nothing is left. */
export interface Rounds {
  /** Rounds in a row that found every mailbox empty. */
  readonly empty: number;
  /** Mailboxes found empty in this round. */
  readonly seen: ReadonlyArray<string>;
  readonly moved: boolean;
}

export const FIRST_ROUND: Rounds = { empty: 0, seen: [], moved: false };

/** The mailbox of a removal is hidden under a name of ours, at the top of its namespace. */
export const hiddenPath = (prefix: string, id: string): string => `${prefix}${REMOVAL_PREFIX}${id.toLowerCase()}`;

/** Whether a mailbox is one that is being removed, or lies in one (spec 4.6: never shown). */
export const isHidden = ({ path, prefix }: Pick<ListedMailbox, "path" | "prefix">): boolean =>
  path.startsWith(prefix + REMOVAL_PREFIX);

/**
 * What comes next. A server removes a mailbox that just received mail without a word, so mailboxes are removed only
 * after two rounds in a row that found all of them empty; the deepest first.
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
    return { _tag: hidden.length === 0 ? "Finish" : "Enter" };
  }
  if (removal.destination !== null && rounds.empty < 2) {
    if (removal.batch !== null) return { _tag: "Move", from: removal.batch.mailbox };
    const next = hidden.find(({ path, status }) => status !== null && !rounds.seen.includes(path));
    return next === undefined ? { _tag: "Look" } : { _tag: "Move", from: next.path };
  }
  const deepest = hidden.toSorted((one, other) => other.path.length - one.path.length)[0];
  return deepest === undefined ? { _tag: "Finish" } : { _tag: "Remove", path: deepest.path };
};

/** Whether the folder is where it was: itself, or something that a cut renaming left below it. */
const isStillThere = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): boolean => {
  const there = listed.find(({ path }) => path === removal.path);
  if (there !== undefined && there.status !== null) return there.status.uidValidity === removal.uidValidity;
  if (there !== undefined && removal.uidValidity === null && hiddenMailboxes(removal, listed).length === 0) return true;
  return listed.some(
    ({ path, status }) => status !== null && path !== removal.path && isWithin(path, removal.path, removal.delimiter),
  );
};

/** A name that no mailbox has: the wanted one, else with a number after it. */
export const freePath = (wanted: string, listed: ReadonlyArray<ListedMailbox>): string => {
  const taken = new Set(listed.map(({ path }) => path));
  let path = wanted;
  for (let n = 2; taken.has(path); n++) path = `${wanted} (${n})`;
  return path;
};

/** The mailboxes a removal has hidden. */
export const hiddenMailboxes = (
  removal: FolderRemoval,
  listed: ReadonlyArray<ListedMailbox>,
): ReadonlyArray<ListedMailbox> => listed.filter(({ path }) => isWithin(path, removal.hiddenPath, removal.delimiter));

/** After a listing: what left the mailboxes without our hearing of it, because the answer was cut, has moved. */
export const observed = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): FolderRemoval => {
  const remaining = hiddenMailboxes(removal, listed).reduce((sum, { status }) => sum + (status?.total ?? 0), 0);
  return { ...removal, moved: removal.moved + Math.max(0, removal.remaining - remaining), remaining };
};

/** Hidden: from here on messages move. */
export const entered = (removal: FolderRemoval, listed: ReadonlyArray<ListedMailbox>): FolderRemoval => ({
  ...observed(removal, listed),
  phase: "emptying",
  moved: 0,
});

/** Before messages move. */
export const moving = (removal: FolderRemoval, batch: MessageBatch): FolderRemoval => ({ ...removal, batch });

/** After messages moved. */
export const moved = (removal: FolderRemoval, count: number): FolderRemoval => ({
  ...removal,
  moved: removal.moved + count,
  remaining: Math.max(0, removal.remaining - count),
  batch: null,
});

/** After a mailbox was looked into: it is empty, or it is to be looked into again. */
export const lookedInto = (rounds: Rounds, path: string, isEmpty: boolean): Rounds =>
  isEmpty ? { ...rounds, seen: [...rounds.seen, path] } : { ...rounds, moved: true };

/** After a round through all mailboxes. */
export const nextRound = ({ empty, moved: some }: Rounds): Rounds => ({ ...FIRST_ROUND, empty: some ? 0 : empty + 1 });

export const finished = (removal: FolderRemoval): FolderRemoval => ({ ...removal, phase: "finished" });
