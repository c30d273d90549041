import type { AccountId } from "../shared/index.ts";

/** Who fetched a tracking picture, as far as its request tells (spec 7). */
export const OPEN_CLASSES = ["human", "proxy", "prefetch", "scanner"] as const;
export type OpenClass = (typeof OPEN_CLASSES)[number];

/** A message whose openings are recorded. */
export interface TrackedMessage {
  /** 128 random bits; part of the picture's address. */
  readonly id: string;
  readonly account: AccountId;
  readonly messageId: string;
  /** The only recipient, or null where there are several. */
  readonly recipient: string | null;
  readonly opens: { readonly [Class in OpenClass]?: OpenCount };
  /** Events raised so far. */
  readonly events: number;
}

export interface OpenCount {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly lastEventAt: number;
}

const EVERY_MILLIS = 60_000;
const MAX_EVENTS = 50;

/** Counts an opening; `told` where it is to be told: once a minute for each class, 50 times in all. */
export const opened = (
  message: TrackedMessage,
  openClass: OpenClass,
  now: number,
): { readonly message: TrackedMessage; readonly told: boolean } => {
  const before = message.opens[openClass];
  const isDue = before === undefined || now - before.lastEventAt >= EVERY_MILLIS;
  const told = isDue && message.events < MAX_EVENTS;
  const after = { count: (before?.count ?? 0) + 1, lastEventAt: told ? now : (before?.lastEventAt ?? now) };
  return {
    message: { ...message, opens: { ...message.opens, [openClass]: after }, events: message.events + (told ? 1 : 0) },
    told,
  };
};

const PROXIES =
  /GoogleImageProxy|ggpht|YahooMailProxy|DuckDuckGo-Image-Proxy|Superhuman|ProtonMail|Outlook-Image-Proxy/i;
const SCANNERS =
  /bot\b|crawler|spider|scanner|barracuda|mimecast|proofpoint|symantec|trendmicro|sophos|safelinks|curl\/|wget\/|python-|go-http|java\/|okhttp|node|undici|headless/i;
/** Apple's Mail Privacy Protection fetches when mail arrives, and says no more than this. */
const PREFETCHES = /^Mozilla\/5\.0$/;

/** What kind of reader a request for the picture comes from, by its headers. */
export const classifyOpen = (userAgent: string, purpose: string): OpenClass => {
  if (/prefetch|preview|prerender/i.test(purpose) || PREFETCHES.test(userAgent.trim())) return "prefetch";
  if (PROXIES.test(userAgent)) return "proxy";
  return userAgent.trim() === "" || SCANNERS.test(userAgent) ? "scanner" : "human";
};
