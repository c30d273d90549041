/** The storage key of the accounts that this browser is signed in to, in the order of their sign-ins. */
const ACCOUNTS = "postern-accounts";
/** The storage key of the account of this tab. */
const TAB = "postern-account";
/** The parameter that names the account in a link to the console, such as `#account=ada%40example.com`. */
const FRAGMENT = "account";

/**
 * The account of this page. It never changes while the page is loaded, because `switchAccount` loads the page again.
 */
let current: string | null = null;

/** Returns the address of the account of this page; null before a sign-in. */
export const currentAccount = (): string | null => current;

export const setCurrentAccount = (account: string | null): void => {
  current = account;
  if (account === null) sessionStorage.removeItem(TAB);
  else sessionStorage.setItem(TAB, account);
};

/** Returns the addresses of the accounts that this browser is signed in to. */
export const signedInAccounts = (): ReadonlyArray<string> => {
  try {
    return JSON.parse(localStorage.getItem(ACCOUNTS) ?? "[]") as ReadonlyArray<string>;
  } catch {
    return [];
  }
};

export const noteSignIn = (account: string): void => {
  const known = signedInAccounts();
  if (!known.includes(account)) localStorage.setItem(ACCOUNTS, JSON.stringify([...known, account]));
};

export const noteSignOut = (account: string | null): void =>
  localStorage.setItem(ACCOUNTS, JSON.stringify(signedInAccounts().filter((one) => one !== account)));

/**
 * Returns the account for which this page is loaded: that of the link, of the tab, or the first one; null without
 * accounts.
 */
export const accountOfPage = (): string | null => {
  const known = signedInAccounts();
  const asked = new URLSearchParams(location.hash.slice(1)).get(FRAGMENT);
  if (asked !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return [asked, sessionStorage.getItem(TAB)].find((one) => one !== null && known.includes(one)) ?? known[0] ?? null;
};

/** Returns a link to a page of an account, which may differ from the account of this page. */
export const linkOf = (account: string, path: string): string =>
  `${path}#${new URLSearchParams({ [FRAGMENT]: account }).toString()}`;

/** The header that names the account of a request (spec 3.5). */
const HEADER = "postern-account";
/** The values that a header can have in browsers. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Returns the header that names an account; no header for null, and for an address that a header cannot contain. */
export const accountHeader = (account: string | null = current): Readonly<Record<string, string>> =>
  account !== null && PRINTABLE.test(account) ? { [HEADER]: account } : {};

/** Returns a URL of the API that names the account of this page, for links, pictures and streams. */
export const accountUrl = (url: string, account: string | null = current): string => {
  const query = new URLSearchParams(accountHeader(account)).toString();
  return query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;
};
