import type { Draft } from "./draft.ts";

const prefixOf = (account: string): string => `postern-draft ${account} `;

/** Returns the saved draft, if any. A draft lasts as long as its tab, and only the account that wrote it sees it. */
export const keptDraft = (account: string, about: string): Draft | null => {
  try {
    const text = sessionStorage.getItem(prefixOf(account) + about);
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
};

/** Saves a draft; false if the browser's storage is full. */
export const keepDraft = (account: string, about: string, draft: Draft): boolean => {
  try {
    sessionStorage.setItem(prefixOf(account) + about, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
};

export const dropDraft = (account: string, about: string): void => sessionStorage.removeItem(prefixOf(account) + about);

const namesOf = (account: string): ReadonlyArray<string> =>
  Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(account)));

/** Returns the number of an account's drafts saved in this tab. */
export const countDrafts = (account: string): number => namesOf(account).length;

export const dropDrafts = (account: string): void => {
  for (const name of namesOf(account)) sessionStorage.removeItem(name);
};
