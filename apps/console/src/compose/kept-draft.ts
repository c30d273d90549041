import type { Draft } from "./draft.ts";

const prefixOf = (account: string): string => `postern-draft ${account} `;

/** The draft that was left, if any. A draft lasts as long as its tab, and is shown to the account that wrote it alone. */
export const keptDraft = (account: string, about: string): Draft | null => {
  try {
    const text = sessionStorage.getItem(prefixOf(account) + about);
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
};

/** Keeps a draft; false where the browser has no room for it. */
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

/** How many drafts of an account this tab keeps. */
export const countDrafts = (account: string): number => namesOf(account).length;

export const dropDrafts = (account: string): void => {
  for (const name of namesOf(account)) sessionStorage.removeItem(name);
};
