import { ApiProblem } from "./ApiProblem.ts";

/** A `fetch` function for absolute URLs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns a `Fetch` that resolves only with successes; for any other answer, or without an answer, it rejects with
 * `ApiProblem`.
 */
export const sendToService =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init).catch((cause: unknown) => {
      if (init.signal?.aborted === true) throw cause;
      throw new ApiProblem(0, OFFLINE, null, { cause });
    });
    if (response.ok) return response;
    // A proxy may have written its answer in another format.
    const body: unknown = await response.json().catch(() => null);
    throw new ApiProblem(response.status, body, retryAfterOf(response));
  };

const OFFLINE = { code: "offline", title: "The service cannot be reached from here." };

/** Returns the seconds of `Retry-After`; null without the header. */
export const retryAfterOf = (response: Response): number | null => {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
};

/** Returns whether the answer is JSON, which includes problems. */
export const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get("content-type") ?? "");

/** Returns the part of a request that carries a signal, if there is one. */
export const until = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };

/** Returns the part of a request that carries a JSON body. */
export const jsonBody = (value: unknown): { readonly headers: Record<string, string>; readonly body: string } => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
