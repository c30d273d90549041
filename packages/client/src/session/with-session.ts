import { orAborted } from "../calls/pause.ts";
import { type Fetch, jsonBody } from "../calls/send-to-service.ts";
import type { SessionTokens } from "./SessionTokens.ts";

/** The tokens in use, which a refresh replaces. */
export interface Session {
  readonly current: () => SessionTokens | null;
  readonly replace: (tokens: SessionTokens | null) => void;
}

/**
 * Returns a `Fetch` that signs requests. If the access token has expired, it refreshes the token and sends the request
 * once more (spec 3.3). Concurrent requests share one refresh. The refresh continues if the request that started it is
 * aborted, because the old refresh token is then used up.
 */
export const withSession = (fetch: Fetch, baseUrl: string, session: Session): Fetch => {
  let refreshing: Promise<SessionTokens | null> | null = null;

  const refresh = async ({ refreshToken }: SessionTokens): Promise<SessionTokens | null> => {
    const response = await fetch(`${baseUrl}/api/auth/refresh`, { method: "POST", ...jsonBody({ refreshToken }) });
    const pair = response.ok ? await tokensIn(response) : null;
    // Any failure except a refusal may be temporary, so the tokens stay and the caller gets its 401.
    if (pair !== null || response.status === 401) session.replace(pair);
    return pair;
  };

  const successorOf = async (used: SessionTokens): Promise<SessionTokens | null> => {
    const current = session.current();
    if (current === null || current.token !== used.token) return current;
    refreshing ??= refresh(current).finally(() => (refreshing = null));
    return refreshing;
  };

  return async (url, init) => {
    const used = session.current();
    if (used === null) return fetch(url, init);
    const response = await fetch(url, signedBy(used, init));
    if (!(await hasExpired(response)) || init.body instanceof ReadableStream) return response;
    const successor = await orAborted(successorOf(used), init.signal);
    return successor === null ? response : fetch(url, signedBy(successor, init));
  };
};

const signedBy = ({ token }: SessionTokens, init: RequestInit): RequestInit => {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
};

/**
 * Returns whether the access token has expired. A refresh does not help against a 401 with another code, such as
 * `mailbox_credentials_rejected`.
 */
const hasExpired = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false;
  const { code } = await membersOf(response.clone());
  return code === "unauthorized";
};

/** Returns the tokens of an answer; null if it has none. */
export const tokensIn = async (response: Response): Promise<SessionTokens | null> => {
  const { token, refreshToken } = await membersOf(response);
  return typeof token === "string" && typeof refreshToken === "string" ? { token, refreshToken } : null;
};

const membersOf = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === "object" && body !== null ? { ...body } : {};
};
