import type { ClientOptions, KeyOptions } from "./ClientOptions.ts";
import type { Fetch } from "../calls/send-to-service.ts";
import type { SessionTokens } from "./SessionTokens.ts";
import { withIdempotencyKey, withRetries } from "./with-retries.ts";
import { withSession } from "./with-session.ts";

/** The connection of a client to a service, which signs and retries requests. */
export interface Connection {
  /** The URL of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly useTokens: (tokens: SessionTokens | null) => void;
}

/** Returns the connection that the options describe; nothing is sent yet. */
export const connect = (options: ClientOptions | KeyOptions): Connection => {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const retried = withRetries((url, init) => (options.fetch ?? fetch)(url, init), baseUrl, options);
  if ("key" in options)
    return { baseUrl, fetch: withIdempotencyKey(withKey(retried, options.key), baseUrl), useTokens: () => {} };
  let tokens = options.tokens ?? null;
  const useTokens = (replaced: SessionTokens | null): void => {
    tokens = replaced;
    options.onTokens?.(replaced);
  };
  const signed = withSession(retried, baseUrl, { current: () => tokens, replace: useTokens });
  return { baseUrl, fetch: withIdempotencyKey(signed, baseUrl), useTokens };
};

const withKey =
  (fetch: Fetch, key: string): Fetch =>
  (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${key}`);
    return fetch(url, { ...init, headers });
  };
