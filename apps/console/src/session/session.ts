import { ApiProblem, type ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { awaitChanges } from "../api/changes-under-way.ts";
import { api, apiOf, queries } from "../api/client.ts";
import { dropAnswers, isKeepingDecided, isKeepingOff, renewAnswers, startKeeping } from "../api/kept-answers.ts";
import { PREFIX } from "../api/prefix.ts";
import {
  accountOfPage,
  currentAccount,
  noteSignIn,
  noteSignOut,
  setCurrentAccount,
  signedInAccounts,
} from "../api/signed-in.ts";
import { dropSearches } from "../kept/kept-searches.ts";
import { dropActions } from "../kept/waiting-actions.ts";

type Session = ApiAnswer<"GET /api/auth/session">["data"];

/**
 * The mark of a browser whose sign-in is older than the list of accounts, and whose session does not name its account.
 */
const MARKER = "postern-signed-in";

/** The page to which the service redirects a browser after a consent (spec 11.3), because scripts cannot see that the cookie was set. */
const ARRIVAL = "#signed-in";

/** The maximum time that another account waits for changes in flight before its page is loaded. */
const MAX_WAIT_MILLIS = 3_000;

/** Returns whether a problem says that this account has no session. */
const saysSignedOut = (problem: unknown): boolean =>
  problem instanceof ApiProblem && (problem.status === 401 || problem.code === "account_not_found");

const read = async (): Promise<Session | null> => {
  const hasArrived = location.hash === ARRIVAL;
  if (hasArrived) history.replaceState(history.state, "", location.pathname + location.search);
  const account = hasArrived ? null : accountOfPage();
  if (account === null && !hasArrived && localStorage.getItem(MARKER) === null) return null;
  setCurrentAccount(account);
  if (!isKeepingDecided()) startKeeping(true);
  try {
    const { data } = await api("GET /api/auth/session");
    enter(data);
    return data;
  } catch (problem) {
    if (!saysSignedOut(problem)) throw problem;
    await leave(account);
    return null;
  }
};

const enter = ({ email }: Session): void => {
  localStorage.removeItem(MARKER);
  noteSignIn(email);
  setCurrentAccount(email);
};

/** Removes an account that signed out; other accounts stay. */
const leave = async (account: string | null): Promise<void> => {
  localStorage.removeItem(MARKER);
  noteSignOut(account);
  if (account !== null) {
    dropActions(account);
    dropSearches(account);
  }
  if (account === currentAccount()) setCurrentAccount(null);
  await (signedInAccounts().length === 0 ? dropAnswers() : renewAnswers());
};

/** The signed-in account's session, or null. */
export const useSession = () => useQuery({ queryKey: ["session"], queryFn: read, staleTime: Number.POSITIVE_INFINITY });

/** Replaces the session and drops all cached answers to the previous one. */
const become = (session: Session | null): void => {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  queries.setQueryData(["session"], session);
};

/** Loads the console for another account, so that the page's memory keeps no data of this one. */
export const switchAccount = async (account: string, path = "/mail/inbox"): Promise<void> => {
  await awaitChanges(MAX_WAIT_MILLIS);
  setCurrentAccount(account);
  location.assign(`${PREFIX}${path}`);
};

/** Signs in. An account that is added to others gets a separate page. */
export const signIn = async (email: string, password: string, isOwnDevice: boolean): Promise<void> => {
  const { data } = await apiOf(email)("POST /api/auth/login", { payload: { email, password } });
  // If the page has no session, for example after its end, the account replaces the previous account on this page.
  const isAdded = (queries.getQueryData<Session | null>(["session"]) ?? data).email !== data.email;
  // If the user said at an earlier sign-in that the device is not their own, this also holds for further accounts.
  const keeps = isOwnDevice && !(isAdded && isKeepingOff());
  await dropAnswers();
  dropActions(data.email);
  dropSearches(data.email);
  startKeeping(keeps);
  if (isAdded) {
    noteSignIn(data.email);
    return switchAccount(data.email);
  }
  enter(data);
  become(data);
  // This answer is kept too, so that the page knows its account offline.
  void api("GET /api/auth/session").catch(() => {});
};

/** Ends the session of an account. If that fails, the account stays signed in, because the session still exists. */
export const signOut = async (account: string): Promise<void> => {
  await apiOf(account)("POST /api/auth/logout").catch((problem: unknown) => {
    if (!saysSignedOut(problem)) throw problem;
  });
  await leave(account);
};

/** Erases everything that the service stores of the account of this page, and ends all its sessions. */
export const eraseAccount = async (): Promise<void> => {
  const account = currentAccount();
  await api("DELETE /api/account");
  await leave(account);
  await goOn();
};

/** Shows the next account after a sign-out from the account of this page, or the sign-in page after the last one. */
export const goOn = async (): Promise<void> => {
  if (currentAccount() !== null) return;
  const [next] = signedInAccounts();
  if (next === undefined) become(null);
  else await switchAccount(next);
};
