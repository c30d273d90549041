import type { MessagePlace } from "../messages/index.ts";
import type { AccountId } from "../shared/index.ts";

/** A message that may report on mail we sent, and is still to be read. */
export interface ParseJob {
  /** The same for the same message, however often it is seen. */
  readonly id: string;
  readonly account: AccountId;
  readonly place: MessagePlace;
  /** INTERNALDATE, epoch milliseconds. */
  readonly arrivedAt: number;
  /** When it was seen, epoch milliseconds. */
  readonly seenAt: number;
  /** Attempts at which the message itself could not be parsed. */
  readonly failures: number;
  /** Attempts at which something else stood in the way, such as a mail server that was down. */
  readonly delays: number;
}

/** What is remembered of a recipient of a message we sent, once each. */
export interface ReportedRecipient {
  /** The message's id in the journal. */
  readonly sentId: string;
  readonly recipient: string;
  readonly kind: "bounce" | "delay" | "complaint";
}

/** The job for a message in the mailbox of this account. */
export const parseJob = (account: AccountId, place: MessagePlace, arrivedAt: number, seenAt: number): ParseJob => ({
  id: `${place.uidValidity}.${place.uid}.${account}`,
  account,
  place,
  arrivedAt,
  seenAt,
  failures: 0,
  delays: 0,
});
