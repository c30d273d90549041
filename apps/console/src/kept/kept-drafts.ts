/** A draft that this browser keeps; `compose` defines its contents. */
interface Kept {
  readonly copy: string;
  readonly keptAt: number;
}

const prefixOf = (account: string): string => `postern-draft ${account} `;
const TAB = "postern-tab";

/** Returns the id of this tab, which survives reloads. */
export const tabId = (): string => {
  const known = sessionStorage.getItem(TAB);
  if (known !== null) return known;
  const tab = crypto.randomUUID();
  sessionStorage.setItem(TAB, tab);
  return tab;
};

/** Keeps a draft in the browser until the service has it; returns false if the browser's storage is full. */
export const keepDraft = (account: string, kept: Kept): boolean => {
  try {
    localStorage.setItem(prefixOf(account) + kept.copy, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
};

export const dropDraft = (account: string, copy: string): void => localStorage.removeItem(prefixOf(account) + copy);

/** Returns the drafts of an account whose changes the service does not have yet, newest first. */
export const keptDrafts = <K extends Kept>(account: string): ReadonlyArray<K> =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(prefixOf(account)))
    .flatMap((name) => {
      try {
        return [JSON.parse(localStorage.getItem(name)!) as K];
      } catch {
        return [];
      }
    })
    .toSorted((one, other) => other.keptAt - one.keptAt);

/** Removes all kept drafts. */
export const dropDrafts = (account: string): void => {
  for (const { copy } of keptDrafts(account)) dropDraft(account, copy);
};
