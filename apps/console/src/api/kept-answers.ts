import { noteReach } from "./reach.ts";

const CACHE = "postern-answers";
/**
 * The name of the period in which answers are kept. Each sign-in begins another period, so no late answer is kept for
 * it.
 */
const PERIOD = "postern-kept-since";
const OFF = "off";
/** Maximum size of a kept answer. With the counts below, larger answers would need more than 20 MB. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Maximum numbers of kept answers, by the path after `/api/`. */
const KEPT: ReadonlyArray<{ readonly path: RegExp; readonly count: number }> = [
  { path: /^messages\/[^/]+$/, count: 50 },
  { path: /^inbox$/, count: 20 },
  { path: /^(auth\/session|folders|account|identities|drafts)$/, count: 8 },
];

/** Returns the period in which answers are kept; null if no answers are kept, or outside of a browser. */
const period = (): string | null => {
  const kept = "localStorage" in globalThis ? localStorage.getItem(PERIOD) : null;
  return kept === OFF ? null : kept;
};

/** Begins to keep answers for the account that signed in, unless the device is not the user's own. */
export const startKeeping = (isOwnDevice: boolean): void =>
  localStorage.setItem(PERIOD, isOwnDevice ? crypto.randomUUID() : OFF);

/** Returns whether the user has chosen that this browser keeps nothing. */
export const isKeepingOff = (): boolean => localStorage.getItem(PERIOD) === OFF;

/** Returns whether a sign-in has decided whether answers are kept. */
export const isKeepingDecided = (): boolean => localStorage.getItem(PERIOD) !== null;

/** Erases all kept answers, and stops keeping answers until the next sign-in. */
export const dropAnswers = async (): Promise<void> => {
  localStorage.removeItem(PERIOD);
  if ("caches" in window) await caches.delete(CACHE);
};

/** Erases all kept answers, and continues to keep later ones. */
export const renewAnswers = async (): Promise<void> => {
  if (period() !== null) startKeeping(true);
  if ("caches" in window) await caches.delete(CACHE);
};

/** Returns a fetch that keeps the last lists and messages, and answers with them if the service cannot be reached. */
export const keepingAnswers =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const name = (init?.method ?? "GET") === "GET" ? nameOf(input, init) : null;
    const kind = name === null ? undefined : kindOf(name);
    const since = kind === undefined ? null : period();
    try {
      const answer = await send(input, init);
      noteReach(true);
      if (kind !== undefined && since !== null && answer.ok) void keep(name!, kind, answer.clone(), since);
      return answer;
    } catch (error) {
      if (init?.signal?.aborted === true) throw error;
      noteReach(false);
      const found = since === null ? undefined : await keptAnswer(name!);
      if (found === undefined) throw error;
      return found;
    }
  };

/** Returns the name of an answer in the cache. In a window with several accounts, each account has its own answers. */
const nameOf = (input: RequestInfo | URL, init: RequestInit | undefined): string => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, "http://kept");
  const account = new Headers(init?.headers).get("postern-account") ?? "";
  return `/kept/${encodeURIComponent(account)}${pathname}${search}`;
};

const kindOf = (name: string) => {
  const path = /\/api\/([^?]*)/.exec(name)?.[1];
  return path === undefined ? undefined : KEPT.find((one) => one.path.test(path));
};

const keep = async (name: string, kind: (typeof KEPT)[number], answer: Response, since: string): Promise<void> => {
  if (!("caches" in window)) return;
  try {
    const body = await answer.blob();
    const cache = await caches.open(CACHE);
    if (body.size > MAX_ANSWER_BYTES) await cache.delete(name);
    else await cache.put(name, new Response(body, { headers: answer.headers }));
    // The oldest answers are first.
    const kept = (await cache.keys()).filter(({ url }) => kindOf(url) === kind);
    await Promise.all(kept.slice(0, -kind.count).map((one) => cache.delete(one)));
    // The account may have signed out in the meantime.
    if (period() !== since) await caches.delete(CACHE);
  } catch {
    // The storage of the browser is full, so less is available offline.
  }
};

const keptAnswer = async (name: string): Promise<Response | undefined> =>
  "caches" in window ? (await caches.open(CACHE)).match(name) : undefined;
