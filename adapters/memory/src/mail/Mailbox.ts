import type { MessageSummary } from "@postern/core";

/** A message as the fake server stores it. */
export interface StoredMessage {
  readonly uid: number;
  readonly raw: Uint8Array;
  /** INTERNALDATE as epoch milliseconds, whole seconds. */
  readonly arrivedAt: number;
  /** System flags with their backslash. */
  flags: ReadonlySet<string>;
  /** What its raw form says, once somebody looked. */
  contents?: Promise<MessageContents>;
}

/** What of a message never changes. */
export type MessageContents = Omit<MessageSummary, "uid" | "arrivedAt" | "unread" | "flagged" | "answered" | "draft">;

/** A mailbox with the semantics of RFC 9051: UIDs only grow, and UIDVALIDITY tells a mailbox made anew from the old. */
export class Mailbox {
  readonly uidValidity: number;
  uidNext = 1;
  messages: ReadonlyArray<StoredMessage> = [];

  constructor(uidValidity: number) {
    this.uidValidity = uidValidity;
  }

  append(raw: Uint8Array, arrivedAt: number, flags: Iterable<string>): StoredMessage {
    const message: StoredMessage = { uid: this.uidNext++, raw, arrivedAt, flags: new Set(flags) };
    this.messages = [...this.messages, message];
    return message;
  }

  expunge(uids: ReadonlyArray<number>): void {
    const going = new Set(uids);
    this.messages = this.messages.filter(({ uid }) => !going.has(uid));
  }

  get unread(): number {
    return this.messages.filter(({ flags }) => !flags.has("\\Seen")).length;
  }
}
