import { apiCall } from "./calls/api-call.ts";
import type { ApiCall } from "./calls/ApiCall.ts";
import { ApiProblem } from "./calls/ApiProblem.ts";
import { type Fetch, sendToService } from "./calls/send-to-service.ts";

export type * from "./calls/ApiCall.ts";
export * from "./calls/ApiProblem.ts";
export type * from "./calls/ApiRoute.ts";
export type * from "./contract/CallOptions.ts";

/** Options of a client of pages. */
export interface BrowserClientOptions {
  /**
   * Default: where the page came from. Another origin gets no cookie, and the service accepts none from it (spec 3).
   */
  readonly baseUrl?: string;
  /** Called with every 401: the session has ended, or never was. */
  readonly onUnauthorized?: (problem: ApiProblem) => void;
  /** Returns a key to send in place of the cookie, which stays out of the request then. */
  readonly bearer?: () => string;
  /** Default: the browser's. */
  readonly fetch?: typeof fetch;
}

/**
 * Returns a client for pages of the service itself: the session is its cookie, which the browser looks after (spec 3).
 * It retries nothing.
 */
export const browserClient = (options: BrowserClientOptions = {}): ApiCall => {
  const send = sendToService((url, init) =>
    (options.fetch ?? fetch)(url, { ...init, ...identified(init, options.bearer?.()) }),
  );
  const reporting: Fetch = (url, init) =>
    send(url, init).catch((problem: unknown) => {
      if (problem instanceof ApiProblem && problem.status === 401) options.onUnauthorized?.(problem);
      throw problem;
    });
  return apiCall(options.baseUrl ?? "", reporting);
};

const identified = ({ headers }: RequestInit, bearer: string | undefined): RequestInit =>
  bearer === undefined
    ? { credentials: "same-origin" }
    : { credentials: "omit", headers: { ...(headers as Record<string, string>), authorization: `Bearer ${bearer}` } };
