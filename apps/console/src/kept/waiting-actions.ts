import { ApiProblem } from "@postern/client/browser";
import { reachAgain } from "../api/reach.ts";
import { currentAccount } from "../api/signed-in.ts";
import { toast } from "../ui/toast.ts";
import { t } from "../texts/text.ts";

/** Returns the prefix of the names of an account's stored actions; each account repeats its own actions. */
const storedBy = (account: string): string => `postern-action ${account} `;
/** The pause before an action is repeated, unless the browser reports earlier that the network has returned. */
const AGAIN_MILLIS = 5_000;

/** The unanswered actions in order, with the functions that release their locks. */
const unanswered = new Map<string, { readonly text: string; readonly isQuiet: boolean; unlock?: () => void }>();
let isStuck = false;
let last = 0;

/**
 * Stores an action, so that it survives a reload. The lock of the action shows other tabs that this tab still attempts
 * it.
 */
const store = (name: string): void => {
  const action = unanswered.get(name)!;
  try {
    localStorage.setItem(name, action.text);
  } catch {
    // The storage is full, so the action waits only in this tab.
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  action.unlock = resolve;
  void navigator.locks?.request(name, () => promise);
};

const sayThatItWaits = (): void =>
  toast(t("The service cannot be reached. The action waits, and will be done once you are online."));

/**
 * Remembers an action until the returned function is called. While the service cannot be reached, the action is stored,
 * and the page shows that, unless `isQuiet` is set because the user did not request the action.
 */
export const rememberAction = (action: object, isQuiet = false): (() => void) => {
  last = Math.max(last + 1, Date.now());
  const name = `${storedBy(currentAccount() ?? "")}${last} ${Math.random()}`;
  unanswered.set(name, { text: JSON.stringify(action), isQuiet });
  if (isStuck) {
    store(name);
    if (!isQuiet) sayThatItWaits();
  }
  return () => {
    const { unlock } = unanswered.get(name)!;
    unanswered.delete(name);
    if (unlock === undefined) return;
    localStorage.removeItem(name);
    unlock();
  };
};

/** Sends an action, and repeats it until the service was reached. */
export const retryUntilReached = async <A>(send: () => Promise<A>): Promise<A> => {
  for (;;) {
    try {
      const answer = await send();
      isStuck = false;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 0) {
        isStuck = false;
        throw error;
      }
      if (!isStuck) {
        isStuck = true;
        for (const name of unanswered.keys()) store(name);
        if ([...unanswered.values()].some(({ isQuiet }) => !isQuiet)) sayThatItWaits();
      }
    }
    await reachAgain(AGAIN_MILLIS);
  }
};

/** Removes the stored actions of an account, and returns the actions that no other tab attempts. */
export const takeWaitingActions = async (account: string): Promise<ReadonlyArray<unknown>> => {
  if (navigator.locks === undefined) return [];
  const taken: Array<unknown> = [];
  for (const name of storedActions(account).toSorted()) {
    await navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      const text = lock === null ? null : localStorage.getItem(name);
      if (text === null) return;
      localStorage.removeItem(name);
      taken.push(JSON.parse(text));
    });
  }
  return taken;
};

/** Deletes the stored actions of an account that signed out. */
export const dropActions = (account: string): void => {
  for (const name of storedActions(account)) localStorage.removeItem(name);
};

const storedActions = (account: string): ReadonlyArray<string> =>
  Object.keys(localStorage).filter((name) => name.startsWith(storedBy(account)));
