import { apiCall } from "./calls/api-call.ts";
import type { ApiCall } from "./calls/ApiCall.ts";
import { ApiProblem } from "./calls/ApiProblem.ts";
import { type Fetch, sendToService } from "./calls/send-to-service.ts";

export type * from "./calls/ApiCall.ts";
export * from "./calls/ApiProblem.ts";
export type * from "./calls/ApiRoute.ts";
export type * from "./contract/CallOptions.ts";

/** Options of a client for browser pages. */
export interface BrowserClientOptions {
  /**
   * The URL of the service; by default the origin of the page. The browser sends no cookie to another origin, and the
   * service accepts none from another origin (spec 3).
   */
  readonly baseUrl?: string;
  /** Called with every 401: the session has ended, or there was none. */
  readonly onUnauthorized?: (problem: ApiProblem) => void;
  /** Returns a key to send in place of the cookie. */
  readonly bearer?: () => string;
  /** The `fetch` to use; by default the browser's. */
  readonly fetch?: typeof fetch;
}

/**
 * Returns a client for pages of the service itself. The browser keeps the cookie of the session (spec 3). The client
 * retries nothing.
 */
export const browserClient = (options: BrowserClientOptions = {}): ApiCall => {
  const send = sendToService((url, init) =>
    (options.fetch ?? fetch)(url, { ...init, ...withCredential(init, options.bearer?.()) }),
  );
  const reporting: Fetch = (url, init) =>
    send(url, init).catch((problem: unknown) => {
      if (problem instanceof ApiProblem && problem.status === 401) options.onUnauthorized?.(problem);
      throw problem;
    });
  return apiCall(options.baseUrl ?? "", reporting);
};

const withCredential = ({ headers }: RequestInit, bearer: string | undefined): RequestInit =>
  bearer === undefined
    ? { credentials: "same-origin" }
    : { credentials: "omit", headers: { ...(headers as Record<string, string>), authorization: `Bearer ${bearer}` } };
