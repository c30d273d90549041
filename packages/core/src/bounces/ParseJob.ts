import type { MessagePlace } from "../messages/index.ts";
import type { AccountId } from "../shared/index.ts";

/** A queued message that may be a report and is not parsed yet. */
export interface ParseJob {
  /** The id of the job; the same for every job of the same message. */
  readonly id: string;
  readonly account: AccountId;
  readonly place: MessagePlace;
  /** INTERNALDATE, epoch milliseconds. */
  readonly arrivedAt: number;
  /** When the message was first seen, epoch milliseconds. */
  readonly seenAt: number;
  /** The number of attempts that failed because the message could not be parsed. */
  readonly failures: number;
  /** The number of attempts that failed for other reasons, such as an unavailable mail server. */
  readonly delays: number;
}

/** A report about one recipient of a sent message. Each kind is recorded once. */
export interface ReportedRecipient {
  /** The id of the sent message in the journal. */
  readonly sentId: string;
  readonly recipient: string;
  readonly kind: "bounce" | "delay" | "complaint";
}

/** Returns a new job for a message in the account's mailbox. */
export const newParseJob = (account: AccountId, place: MessagePlace, arrivedAt: number, seenAt: number): ParseJob => ({
  id: `${place.uidValidity}.${place.uid}.${account}`,
  account,
  place,
  arrivedAt,
  seenAt,
  failures: 0,
  delays: 0,
});
