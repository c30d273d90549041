import { ApiProblem, browserClient } from "@postern/client/browser";
import { QueryClient } from "@tanstack/react-query";
import { countingChanges } from "./changes-under-way.ts";
import { dropAnswers, keepingAnswers, renewAnswers } from "./kept-answers.ts";
import { PREFIX } from "./prefix.ts";
import { noteServerTime } from "./server-clock.ts";
import { accountHeader, currentAccount, noteSignOut, signedInAccounts } from "./signed-in.ts";

const MAX_RETRIES = 2;

/** The longest wait for a retry; a longer wait is shown to the user instead. */
const MAX_WAIT_SECONDS = 30;

/** Returns whether a retry may soon succeed: the service is unreachable, or names a time for the next request. */
const isTemporary = ({ status, retryAfter }: ApiProblem): boolean =>
  (status === 0 || status === 429 || status >= 502) && (retryAfter ?? 0) <= MAX_WAIT_SECONDS;

/** The answers of the service, cached until they change. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Refusals are final; temporary failures are retried.
      retry: (failures, error) => failures < MAX_RETRIES && error instanceof ApiProblem && isTemporary(error),
      retryDelay: (failures, error) =>
        Math.max(500 * 2 ** failures, 1_000 * (error instanceof ApiProblem ? (error.retryAfter ?? 0) : 0)),
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

/** The codes of a 401 that answers a sign-in. */
const SIGN_IN_REFUSALS = new Set([
  "invalid_credentials",
  "app_password_required",
  "basic_auth_disabled",
  "imap_disabled",
  "oauth_required",
]);

/** Ends the session of the page on a 401, unless the request was a sign-in or the mail server refuses the account. */
export const endSessionAfter401 = ({ code }: ApiProblem): void => {
  if (code === "mailbox_credentials_rejected") void queries.invalidateQueries({ queryKey: ["account"] });
  else if (!SIGN_IN_REFUSALS.has(code)) {
    queries.setQueryData(["session"], null);
    noteSignOut(currentAccount());
    void (signedInAccounts().length > 0 ? renewAnswers() : dropAnswers());
  }
};

const send = keepingAnswers(countingChanges((...request) => fetch(...request).then(noteServerTime)));

const clientOf = (account: () => string | null, onUnauthorized: (problem: ApiProblem) => void) =>
  browserClient({
    baseUrl: PREFIX,
    onUnauthorized,
    fetch: (input, init) =>
      send(input, {
        ...init,
        headers: { ...(init?.headers as Readonly<Record<string, string>>), ...accountHeader(account()) },
      }),
  });

/** Calls any operation of the API, typed by the contract, for the account of this page. */
export const api = clientOf(currentAccount, endSessionAfter401);

/** Returns a client for any account that this browser is signed in to. */
export const apiOf = (account: string) =>
  clientOf(
    () => account,
    () => {},
  );
