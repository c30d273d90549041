import type { Draft } from "./draft.ts";

/** Where the service has a draft: its id, the version that the console knows, and the time to send it, if it has one. */
export interface StoredPlace {
  readonly id: string;
  readonly version: string;
  readonly sendAt: string | null;
}

/** A draft with changes that the service does not have yet. */
export interface KeptDraft {
  readonly copy: string;
  /** The tab and the page that it was written in, to continue it after a reload. */
  readonly tab: string;
  readonly about: string;
  /** Null: the service does not have it at all. */
  readonly stored: StoredPlace | null;
  /** What a request to create it said that was not answered. */
  readonly tried: string | null;
  readonly draft: Draft;
  readonly keptAt: number;
}

const prefixOf = (account: string): string => `postern-draft ${account} `;
const TAB = "postern-tab";

/** Returns the id of this tab, which it keeps over reloads. */
export const tabId = (): string => {
  const known = sessionStorage.getItem(TAB);
  if (known !== null) return known;
  const tab = crypto.randomUUID();
  sessionStorage.setItem(TAB, tab);
  return tab;
};

/** Keeps a draft in the browser until the service has it; false if the browser's storage is full. */
export const keepDraft = (account: string, kept: KeptDraft): boolean => {
  try {
    localStorage.setItem(prefixOf(account) + kept.copy, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
};

export const dropDraft = (account: string, copy: string): void => localStorage.removeItem(prefixOf(account) + copy);

/** Returns the drafts of an account whose changes the service does not have yet, newest first. */
export const keptDrafts = (account: string): ReadonlyArray<KeptDraft> =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(prefixOf(account)))
    .flatMap((name) => {
      try {
        return [JSON.parse(localStorage.getItem(name)!) as KeptDraft];
      } catch {
        return [];
      }
    })
    .toSorted((one, other) => other.keptAt - one.keptAt);

/** Removes them all. */
export const dropDrafts = (account: string): void => {
  for (const { copy } of keptDrafts(account)) dropDraft(account, copy);
};
