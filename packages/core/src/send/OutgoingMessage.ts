import type { AccountId } from "../shared/index.ts";

/**
 * What became of one recipient (spec 6). `dot`: the mark is committed, so the end of the message may have left and
 * no answer is recorded yet. `unknown`: it may have, and no answer will come; never sent again.
 */
export type RecipientState = "queued" | "dot" | "sent" | "failed" | "unknown" | "cancelled";

/** What an SMTP server said (RFC 5321, 4.2; RFC 3463). */
export interface SmtpReply {
  readonly code: number;
  /** Such as `5.1.1`, where it gave one. */
  readonly enhanced: string | null;
  readonly text: string;
}

export interface OutgoingRecipient {
  readonly address: string;
  readonly state: RecipientState;
  /** The last thing said about this recipient. */
  readonly reply: SmtpReply | null;
}

/** Why a message, or an attempt at it, came to nothing as a whole. */
export type FailureReason =
  | "unreachable"
  | "untrusted"
  | "timeout"
  | "connection_cut"
  | "busy"
  | "protocol"
  | "recipient_refused"
  | "sender_refused"
  | "message_refused"
  | "message_too_large"
  | "smtp_auth_failed"
  | "process_lost"
  | "contents_lost";

/** A message on its way out, as the journal keeps it (spec 6). Times are epoch milliseconds. */
export interface OutgoingMessage {
  readonly id: string;
  readonly account: AccountId;
  /** A notice is ours to the account's owner: no events, no copy in Sent, not in the outbox (spec 7). */
  readonly kind?: "notice";
  /** The Message-ID header with its angle brackets: the same at every attempt. */
  readonly messageId: string;
  readonly createdAt: number;
  readonly from: string;
  readonly to: ReadonlyArray<string>;
  readonly cc: ReadonlyArray<string>;
  readonly subject: string;
  /** The envelope: each address once. */
  readonly recipients: ReadonlyArray<OutgoingRecipient>;
  /** Attempts that ended with somebody still queued. */
  readonly step: number;
  /** When the next attempt is due; null: none is. */
  readonly attemptAt: number | null;
  readonly scheduledFor: number | null;
  /** Since when the ladder stands still because the SMTP server refused the credential of this version. */
  readonly paused: { readonly since: number; readonly version: number } | null;
  /** What the last attempt came to, where it was not sent; `detail` is for people. */
  readonly failure: { readonly reason: FailureReason; readonly detail: string } | null;
  readonly copy: SentCopy;
}

/** The copy in the Sent folder: owed from the first acceptance on, until it is there or given up. */
export interface SentCopy {
  readonly state: "none" | "owed" | "kept" | "given_up";
  readonly step: number;
  readonly at: number | null;
  /** Why it is not there; `reason` as the mail server's failures have it, such as `over_quota`. */
  readonly failure?: CopyFailure;
}

export interface CopyFailure {
  readonly reason: string;
  readonly detail: string;
}

/** The state of a message, derived from its recipients (spec 6). */
export type OutgoingState = "scheduled" | "queued" | "sending" | "sent" | "failed" | "unknown" | "cancelled";
