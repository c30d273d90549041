import { ApiProblem, browserClient } from "@postern/client/browser";
import { QueryClient } from "@tanstack/react-query";
import { PREFIX } from "./prefix.ts";
import { noteServerTime } from "./server-clock.ts";

const MOST_RETRIES = 2;

/** The answers of the service, cached until they change. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Refusals are final; temporary failures are retried.
      retry: (failures, error) =>
        failures < MOST_RETRIES && error instanceof ApiProblem && (error.status === 0 || error.status >= 502),
      retryDelay: (failures) => 500 * 2 ** failures,
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
export const sessionMayHaveEnded = ({ code }: ApiProblem): void => {
  if (code === "mailbox_credentials_rejected") void queries.invalidateQueries({ queryKey: ["account"] });
  else if (!SIGN_IN_REFUSALS.has(code)) queries.setQueryData(["session"], null);
};

/** Calls any operation of the API, typed by the contract. */
export const api = browserClient({
  baseUrl: PREFIX,
  onUnauthorized: sessionMayHaveEnded,
  fetch: (...request) => fetch(...request).then(noteServerTime),
});
