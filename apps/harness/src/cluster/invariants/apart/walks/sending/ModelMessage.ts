import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";

/** The waits between attempts; the last one repeats. [S6.4-4] */
const LADDER = [1, 5, 15, 30, 60, 120].map((minutes) => minutes * MINUTE);
const DELAYED_AFTER = 4 * HOUR;
const HOLD = 30 * DAY;
/** The difference between the time of an attempt and the time at which its outcome counts. */
const NEAR = 20 * SECOND;
/** The time after the beginning of an attempt in which a message may be leased still, and its copy is being stored. */
const LEASED = 2 * SECOND;

/** Who holds a message: the operator, the suspension of its application, or the deletion of its key. */
export type ModelHolder = "operator" | "suspension" | "key";
type RecipientState = "queued" | "sent" | "failed" | "unknown" | "cancelled";

export interface ModelRecipient {
  readonly address: string;
  state: RecipientState;
  /** The class of the last reply. */
  reply: 2 | 4 | 5 | null;
}

/** The reply of the server to a recipient, by the beginning of the recipient's name. */
const replyTo = (address: string, attempt: number): 2 | 4 | 5 => {
  if (address.startsWith("refused")) return 5;
  if (address.startsWith("never")) return 4;
  return address.startsWith("later") && attempt <= 2 ? 4 : 2;
};

/** The reason why the server refuses a message as a whole for good, before RCPT; by the beginning of a recipient's name. */
const REFUSALS = { size: "MessageTooLarge", "mail-refused": "SenderRefused", "mail-large": "MessageTooLarge" };
/** The wait after an attempt for which the host had no room. [S6.4-24] */
const FULL_HOST = 10 * SECOND;

/** A message in the journal as the specification describes it (6.3 to 6.7). */
export class ModelMessage {
  readonly id: string;
  readonly account: string;
  readonly subject: string;
  readonly messageId: string;
  readonly createdAt: number;
  readonly scheduledFor: number | null;
  readonly lifetime: number;
  readonly recipients: ReadonlyArray<ModelRecipient>;
  author: { readonly key: string; readonly application: string } | null;
  /** When the next attempt is due, unless the message is held; null if there is none. */
  due: number | null;
  held: { readonly by: ModelHolder; readonly since: number } | null = null;
  attempts = 0;
  attemptedAt = -Infinity;
  /** Whether an attempt saw the SIZE of the server. */
  sawSize = false;
  /** The error with which the server refused the message as a whole. */
  refusal: string | null = null;
  /** The attempts that left a recipient queued. */
  #steps = 0;
  #heldMillis = 0;
  #isDelayed = false;
  /** The events that were promised so far. */
  readonly events: Array<string> = [];

  constructor(told: {
    readonly id: string;
    readonly account: string;
    readonly subject: string;
    readonly messageId: string;
    readonly at: number;
    readonly scheduledFor: number | null;
    readonly lifetime: number;
    readonly to: ReadonlyArray<string>;
    readonly author: ModelMessage["author"];
  }) {
    this.id = told.id;
    this.account = told.account;
    this.subject = told.subject;
    this.messageId = told.messageId;
    this.createdAt = told.at;
    this.scheduledFor = told.scheduledFor;
    this.lifetime = told.lifetime;
    this.author = told.author;
    this.due = told.scheduledFor ?? told.at;
    this.recipients = told.to.map((address) => ({ address, state: "queued", reply: null }));
  }

  get #since(): number {
    return (this.scheduledFor ?? this.createdAt) + this.#heldMillis;
  }

  has(state: RecipientState): boolean {
    return this.recipients.some((one) => one.state === state);
  }

  get isWaiting(): boolean {
    return this.has("queued");
  }

  get waiting(): ReadonlyArray<string> {
    return this.recipients.flatMap(({ address, state }) => (state === "queued" ? [address] : []));
  }

  get state(): "scheduled" | "queued" | "held" | "sent" | "failed" | "unknown" | "cancelled" {
    if (this.has("unknown")) return "unknown";
    if (this.has("sent")) return "sent";
    if (this.isWaiting) {
      if (this.held !== null) return "held";
      return this.scheduledFor !== null && this.attempts === 0 && this.due === this.scheduledFor
        ? "scheduled"
        : "queued";
    }
    return this.has("cancelled") ? "cancelled" : "failed";
  }

  /** When a message that is not held makes its last attempt. */
  get end(): number {
    return this.#since + this.lifetime;
  }

  /** The times at which the message changes without a request. */
  get deadlines(): ReadonlyArray<number> {
    if (this.held !== null) return [this.held.since + HOLD];
    return this.due === null ? [] : [this.due, this.end, this.#since + DELAYED_AFTER];
  }

  /** Whether the promise depends on moments that are too near to be certain. */
  isUncertain(now: number): boolean {
    const isDue = this.deadlines.some((at) => Math.abs(at - now) < NEAR);
    return (this.isWaiting && isDue) || this.mayBeLeased(now);
  }

  /** Whether a worker may work on the message now. */
  mayBeLeased(now: number): boolean {
    return [this.due, this.attemptedAt].some((at) => at !== null && Math.abs(now - at) < LEASED);
  }

  /** An attempt at this time reached the server. [S6.3-2] [S6.3-3] [S6.4-7] [S6.4-20] */
  attempted(at: number): void {
    this.attempts++;
    this.attemptedAt = at;
    const hadSent = this.has("sent");
    const has = (kind: string) => this.waiting.some((address) => address.startsWith(kind));
    const isFirst = this.attempts === 1;
    const isLimited = isFirst && has("limited");
    const refusal = isLimited ? undefined : Object.entries(REFUSALS).find(([kind]) => has(kind))?.[1];
    if (!isLimited && has("size")) this.sawSize = true;
    if (refusal !== undefined) return this.#refuse(refusal);
    if (!isLimited && !has("mail-never") && !(isFirst && has("mail-later"))) this.#answer(has, isFirst);
    if (!hadSent && this.has("sent")) this.events.push("email.sent");
    if (!this.isWaiting) return void (this.due = null);
    const { end } = this;
    if (at >= end) return this.#expire();
    const ladder = LADDER[Math.min(this.#steps, LADDER.length - 1)]!;
    this.due = Math.min(at + (isLimited ? FULL_HOST : ladder), end);
    if (!isLimited) this.#steps++;
    if (this.#isDelayed || at - this.#since < DELAYED_AFTER) return;
    this.#isDelayed = true;
    this.events.push(...this.waiting.map((address) => `email.delayed ${address}`));
  }

  /** Applies the replies to RCPT, DATA and the dot. */
  #answer(has: (kind: string) => boolean, isFirst: boolean): void {
    const replies = new Map(this.waiting.map((address) => [address, replyTo(address, this.attempts)]));
    const isTaken = [...replies.values()].includes(2);
    const data = !isTaken ? null : has("data-refused") ? 5 : has("data-later") && isFirst ? 4 : null;
    const isSpam = has("stopped") || has("spam");
    const isLost = data === null && isTaken && !isSpam && has("lost");
    for (const one of this.recipients) {
      const told = replies.get(one.address);
      if (told === undefined) continue;
      // Without DATA, the replies to RCPT are void.
      const reply = data ?? (told === 2 && isSpam ? 5 : told);
      one.reply = reply;
      if (reply === 2) one.state = isLost ? "unknown" : "sent";
      if (reply === 5) one.state = "failed";
      if (one.state === "failed") this.events.push(`email.bounced ${one.address}`);
    }
    if (isLost) this.events.push("email.failed");
  }

  /** The server refuses the message as a whole. */
  #refuse(refusal: string): void {
    this.refusal = refusal;
    this.due = null;
    for (const one of this.recipients) if (one.state === "queued") one.state = "failed";
    this.events.push("email.failed");
  }

  #expire(): void {
    this.due = null;
    const ended = this.recipients.filter(({ state }) => state === "queued");
    for (const one of ended) {
      one.state = "failed";
      if (one.reply !== null) this.events.push(`email.bounced ${one.address}`);
    }
    if (ended.some(({ reply }) => reply === null)) this.events.push("email.failed");
  }

  /** Holds the message; returns whether this changed anything. */
  hold(by: ModelHolder, now: number): boolean {
    if (!this.isWaiting) return false;
    if (this.held === null) this.held = { by, since: now };
    else if (by === "operator" && this.held.by !== by) this.held = { ...this.held, by };
    else return false;
    return true;
  }

  release(author: ModelMessage["author"], now: number): void {
    this.#heldMillis += now - (this.held?.since ?? now);
    this.held = null;
    this.author = author;
    this.due = Math.max(this.due!, now);
  }

  cancel(): boolean {
    if (!this.isWaiting) return false;
    for (const one of this.recipients) if (one.state === "queued") one.state = "cancelled";
    this.held = null;
    this.due = null;
    return true;
  }

  /** Cancels the message if its hold has lasted too long. [S6.6-9] */
  endHold(now: number): void {
    if (this.held !== null && now >= this.held.since + HOLD) this.cancel();
  }
}
