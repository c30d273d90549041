import { backoffMillis, pause } from "../calls/pause.ts";
import { type Fetch, isJson, retryAfterOf } from "../calls/send-to-service.ts";

/** The options of retries. */
export interface RetryOptions {
  /** Maximum number of retries of a request; 3 by default, 0 for no retry. */
  readonly retries?: number;
  /**
   * The longest accepted `Retry-After`, in milliseconds; 30,000 by default. An answer with a longer wait is returned.
   */
  readonly mostRetryAfterMillis?: number;
}

const FIRST_WAIT_MILLIS = 500;
const MAX_WAIT_MILLIS = 8_000;

/**
 * Returns a `Fetch` that retries. A request that may be repeated is retried after a lost connection and after a 503;
 * any request after a 429, and after a 409 with `Retry-After`. The wait is that of `Retry-After` plus a random time.
 */
export const withRetries =
  (fetch: Fetch, baseUrl: string, { retries = 3, mostRetryAfterMillis = 30_000 }: RetryOptions): Fetch =>
  async (url, init) => {
    // A stream can be sent only once, so its request is not retried.
    const most = init.body instanceof ReadableStream ? 0 : retries;
    const repeatable = isRepeatable(url, init, baseUrl);
    for (let tried = 0; ; tried++) {
      let asked = 0;
      try {
        const response = await whole(await fetch(url, init));
        const retryAfter = retryAfterOf(response);
        asked = (retryAfter ?? 0) * 1_000;
        const mayPass =
          response.status === 429 ||
          (response.status === 409 && retryAfter !== null) ||
          (response.status === 503 && repeatable);
        if (!mayPass || tried >= most || asked > mostRetryAfterMillis) return response;
        await response.body?.cancel();
      } catch (cause) {
        if (!repeatable || tried >= most || init.signal?.aborted === true) throw cause;
      }
      await pause(asked + backoffMillis(tried, FIRST_WAIT_MILLIS, MAX_WAIT_MILLIS), init.signal);
    }
  };

/** POSTs that may be repeated: a repeated refresh gets the same tokens again, and an upload that no message uses expires. */
const REPEATABLE_POSTS = ["/api/auth/refresh", "/api/uploads"];

const isRepeatable = (url: string, { method = "GET", headers }: RequestInit, baseUrl: string): boolean =>
  ["GET", "HEAD", "DELETE"].includes(method) ||
  REPEATABLE_POSTS.includes(url.slice(baseUrl.length)) ||
  new Headers(headers).has("idempotency-key");

/** Reads JSON to its end, so that the request is also retried if the connection is lost within the answer. */
const whole = async (response: Response): Promise<Response> =>
  isJson(response) ? new Response(await response.arrayBuffer(), response) : response;

const SEND_PATH = /^\/api\/(?:send|drafts\/[^/]+\/send)$/;

/**
 * Returns a `Fetch` that adds a key to each request that sends a message, so that all attempts send a single message
 * (spec 6.5).
 */
export const withIdempotencyKey =
  (fetch: Fetch, baseUrl: string): Fetch =>
  (url, init) => {
    const headers = new Headers(init.headers);
    const isSend = init.method === "POST" && SEND_PATH.test(url.slice(baseUrl.length));
    if (!isSend || headers.has("idempotency-key")) return fetch(url, init);
    headers.set("idempotency-key", crypto.randomUUID());
    return fetch(url, { ...init, headers });
  };
