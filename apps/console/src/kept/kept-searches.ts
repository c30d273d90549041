import { isKeepingOff } from "../api/kept-answers.ts";

const MAX_KEPT = 10;
const nameOf = (account: string): string => `postern-searches ${account}`;

/** Returns the last searches of an account, newest first. */
export const keptSearches = (account: string): ReadonlyArray<string> => {
  try {
    return JSON.parse(localStorage.getItem(nameOf(account)) ?? "[]") as ReadonlyArray<string>;
  } catch {
    return [];
  }
};

/** Stores a search, unless this browser keeps nothing. */
export const keepSearch = (account: string, search: string): void => {
  if (isKeepingOff()) return;
  const others = keptSearches(account).filter((one) => one !== search);
  localStorage.setItem(nameOf(account), JSON.stringify([search, ...others].slice(0, MAX_KEPT)));
};

/** Deletes the stored searches of an account. */
export const dropSearches = (account: string): void => localStorage.removeItem(nameOf(account));
