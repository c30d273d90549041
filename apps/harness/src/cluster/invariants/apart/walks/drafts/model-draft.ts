import type { MessageSender } from "@postern/core/send";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import { HOUR, MINUTE } from "../../durations.ts";

export type DraftRequest = Parameters<MessageSender["Service"]["send"]>[1];

/** The outcome of sending by the name of the first recipient; `waits` is refused for now. */
export const OUTCOMES = {
  one: "sent",
  refused: "refused",
  lost: "unknown",
  never: "waits",
  "mail-refused": "sender refused",
  size: "too large",
} as const;
type Outcome = (typeof OUTCOMES)[keyof typeof OUTCOMES];

/** A draft as the specification describes it (12.1). */
export interface ModelDraft {
  readonly id: string;
  version: number;
  request: DraftRequest;
  state: "draft" | "sending" | "sent" | "removed";
  /** The reason why the last attempt to send it failed. */
  reason: string | null;
  /** The message of the version that was sent last. */
  message: { readonly id: string; readonly version: number; readonly answer: string; readonly at: number } | null;
  /** Whether that version may have been sent, so that it must not be sent again. */
  mayBeSent: boolean;
  /** Whether another client wrote the current version, of which the request shows only the subject. */
  isForeign: boolean;
}

/** Whether a draft is listed. */
export const isOpen = ({ state }: ModelDraft): boolean => state === "draft" || state === "sending";

/** Returns what happens when this version is sent. */
export const outcomeOf = (
  { to, cc, bcc, sendAt, trackOpens, html }: DraftRequest,
  now: number,
): Outcome | "invalid" | "scheduled" => {
  const first = typeof to === "string" ? to : "";
  // An image that tracks openings needs HTML.
  if (!first.includes("@") || (trackOpens === true && html === undefined)) return "invalid";
  if (sendAt !== undefined && Date.parse(sendAt) > now) return "scheduled";
  const [, outcome] = Object.entries(OUTCOMES).find(([each]) => first.startsWith(each))!;
  // The server accepts the message for its other recipients, unless it refuses the message as a whole.
  return (outcome === "refused" || outcome === "waits") && (cc !== undefined || bcc !== undefined) ? "sent" : outcome;
};

/** The answers to a request to send, by the outcome of the first attempt. */
export const TAGS = {
  invalid: "InputInvalid",
  scheduled: "scheduled",
  sent: "sent",
  refused: "RecipientRefused",
  unknown: "SendOutcomeUnknown",
  waits: "queued",
  "sender refused": "SenderRefused",
  "too large": "MessageTooLarge",
};

/** The reasons of drafts that the server refused. */
const REASONS = new Map([
  ["refused", "recipient_refused"],
  ["sender refused", "sender_refused"],
  ["too large", "message_too_large"],
]);

/** Records how a message of a draft ended. [S12.1-23] [S12.1-24] */
export const settleDraft = (draft: ModelDraft, outcome: ReturnType<typeof outcomeOf>): void => {
  if (outcome === "sent") draft.state = "sent";
  const reason = REASONS.get(outcome);
  if (reason !== undefined || outcome === "unknown") draft.state = "draft";
  if (reason !== undefined) [draft.reason, draft.message] = [reason, null];
  if (outcome === "unknown") [draft.reason, draft.mayBeSent] = ["send_outcome_unknown", true];
};

/** Writes the fields of a draft, each of which may be missing. */
export const writeDraft = (random: SeededRandom, number: number, now: number): DraftRequest => {
  const all: DraftRequest = {
    cc: `cc-${number}@far.test`,
    bcc: `bcc-${number}@far.test`,
    replyTo: `answers-${number}@far.test`,
    headers: { "X-Walk": String(number), Importance: "high" },
    inReplyTo: `<first-${number}@far.test>`,
    references: [`<zero-${number}@far.test>`, `<first-${number}@far.test>`],
    trackOpens: true,
    force: true,
    expiresAfter: random.pick(["95h", "4d"]),
    html: `<p>text ${number}</p>`,
    sendAt: new Date(now + random.pick([20 * MINUTE, 3 * HOUR])).toISOString(),
  };
  const names = ["one", "one", "one", "refused", "lost", "never", "mail-refused", "size"];
  return {
    to: random.chance(0.1) ? "no address yet" : `${random.pick(names)}-${number}@far.test`,
    subject: `draft ${number}`,
    text: `text ${number}`,
    ...Object.fromEntries(random.some(Object.entries(all), random.between(0, 6))),
  };
};
