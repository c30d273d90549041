import { ApiProblem, browserClient } from "@postern/client/browser";
import { QueryClient } from "@tanstack/react-query";
import { PREFIX } from "./prefix.ts";

const MOST_RETRIES = 2;

/** What has been read of the service, kept until it changes. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays one; what passes is asked again.
      retry: (failures, error) =>
        failures < MOST_RETRIES && error instanceof ApiProblem && (error.status === 0 || error.status >= 502),
      retryDelay: (failures) => 500 * 2 ** failures,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

/** A 401 ends the session of the page, unless it answers a sign-in. */
export const sessionMayHaveEnded = ({ code }: ApiProblem): void => {
  if (code !== "invalid_credentials") queries.setQueryData(["session"], null);
};

/** Every endpoint, typed by the contract. */
export const api = browserClient({ baseUrl: PREFIX, onUnauthorized: sessionMayHaveEnded });
