import type { AccountId } from "../../shared/index.ts";

/** Classes of clients that fetch a tracking image, guessed from the request (spec 7). */
export const OPEN_CLASSES = ["human", "proxy", "prefetch", "scanner"] as const;
export type OpenClass = (typeof OPEN_CLASSES)[number];

/** A message whose openings are recorded. */
export interface TrackedMessage {
  /** The id in the URL of the image, from 128 random bits. */
  readonly id: string;
  readonly account: AccountId;
  readonly messageId: string;
  /** The only recipient; null if the message has several. */
  readonly recipient: string | null;
  readonly opens: { readonly [Class in OpenClass]?: OpenCount };
  /** The number of events published. */
  readonly events: number;
}

export interface OpenCount {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly lastEventAt: number;
}

const EVENT_INTERVAL_MILLIS = 60_000;
const MAX_EVENTS = 50;

/** Counts an opening. `isReported` if the opening raises an event: at most once a minute per class and 50 times in all. */
export const countOpen = (
  message: TrackedMessage,
  openClass: OpenClass,
  now: number,
): { readonly message: TrackedMessage; readonly isReported: boolean } => {
  const before = message.opens[openClass];
  const isDue = before === undefined || now - before.lastEventAt >= EVENT_INTERVAL_MILLIS;
  const isReported = isDue && message.events < MAX_EVENTS;
  const after = { count: (before?.count ?? 0) + 1, lastEventAt: isReported ? now : (before?.lastEventAt ?? now) };
  return {
    message: {
      ...message,
      opens: { ...message.opens, [openClass]: after },
      events: message.events + (isReported ? 1 : 0),
    },
    isReported,
  };
};

const PROXIES =
  /GoogleImageProxy|ggpht|YahooMailProxy|DuckDuckGo-Image-Proxy|Superhuman|ProtonMail|Outlook-Image-Proxy/i;
const SCANNERS =
  /bot\b|crawler|spider|scanner|barracuda|mimecast|proofpoint|symantec|trendmicro|sophos|safelinks|curl\/|wget\/|python-|go-http|java\/|okhttp|node|undici|headless/i;
/** The User-Agent of Apple's Mail Privacy Protection, which fetches images when mail arrives. */
const PREFETCHES = /^Mozilla\/5\.0$/;

/** Classifies a request for a tracking image by its headers. */
export const classifyOpen = (userAgent: string, purpose: string): OpenClass => {
  if (/prefetch|preview|prerender/i.test(purpose) || PREFETCHES.test(userAgent.trim())) return "prefetch";
  if (PROXIES.test(userAgent)) return "proxy";
  return userAgent.trim() === "" || SCANNERS.test(userAgent) ? "scanner" : "human";
};
