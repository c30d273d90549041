import type { AccountId } from "../../shared/index.ts";
import type { OUTGOING_STATES } from "../rules.ts";

/**
 * The state of one recipient (spec 6). `dot`: the mark is committed, so the dot may have been sent, but no reply is
 * recorded yet. `unknown`: the dot may have been sent and no reply will arrive; the message is never sent again to this
 * recipient.
 */
export type RecipientState = "queued" | "dot" | "sent" | "failed" | "unknown" | "cancelled";

/** A reply of an SMTP server (RFC 5321, 4.2; RFC 3463). */
export interface SmtpReply {
  readonly code: number;
  /** The enhanced status, for example `5.1.1`; null if the server gave none. */
  readonly enhanced: string | null;
  readonly text: string;
}

export interface OutgoingRecipient {
  readonly address: string;
  readonly state: RecipientState;
  /** The last reply about this recipient. */
  readonly reply: SmtpReply | null;
}

/** The reason why a message or an attempt failed as a whole. */
export type FailureReason =
  | "unreachable"
  | "untrusted"
  | "timeout"
  | "connection_cut"
  | "busy"
  | "protocol"
  | "flood"
  | "recipient_refused"
  | "sender_refused"
  | "message_refused"
  | "message_too_large"
  | "smtp_auth_failed"
  | "account_paused"
  | "process_lost"
  | "contents_lost";

/** An outgoing message as the journal stores it (spec 6). Times are epoch milliseconds. */
export interface OutgoingMessage {
  readonly id: string;
  readonly account: AccountId;
  /** A notice from Postern to the account's owner: no events, no copy in Sent, not in the outbox (spec 7). */
  readonly kind?: "notice";
  /** The Message-ID header with its angle brackets: the same at every attempt. */
  readonly messageId: string;
  /** The Message-ID, with angle brackets, by which the server replaced ours (Microsoft 365, Amazon SES). */
  readonly providerMessageId?: string;
  /** The service key that requested the message; absent for a person and for the operator. */
  readonly author?: MessageAuthor;
  readonly createdAt: number;
  readonly from: string;
  readonly to: ReadonlyArray<string>;
  readonly cc: ReadonlyArray<string>;
  readonly subject: string;
  /** The recipients of the envelope, each address once. */
  readonly recipients: ReadonlyArray<OutgoingRecipient>;
  /** The number of attempts that left a recipient queued. */
  readonly step: number;
  /** When the next attempt is due; null if there is none. */
  readonly attemptAt: number | null;
  readonly scheduledFor: number | null;
  /** How long the message may wait to be sent, in milliseconds, if this is less than the operator's setting. */
  readonly expiresAfter?: number;
  /** The version of the credential that the SMTP server refused; set while the ladder is paused for that reason. */
  readonly paused: { readonly since: number; readonly version: number } | null;
  /** The failure of the last attempt; null if it succeeded. `detail` is for people. */
  readonly failure: { readonly reason: FailureReason; readonly detail: string } | null;
  readonly copy: SentCopy;
  /** The mail server, as `host:port`, that could not be reached at the last attempt. */
  readonly waitsFor?: string;
  /** Whether the message was reported as delayed. */
  readonly isDelayed?: true;
  /** When the message was held. The message waits until it is released. */
  readonly heldSince?: number;
  /** The holder; absent if the message is held because its key was deleted. */
  readonly heldBy?: Holder;
  /** The total time of earlier holds, which does not count as waiting time. */
  readonly heldMillis?: number;
  /**
   * The change that an operator requested while a process held the lease. It is stored beside the record, and the next
   * process that claims the message applies it.
   */
  readonly asked?: Asked;
}

/** The reason for a hold: an operator's request, or the suspension of the message's application. */
export type Holder = "operator" | "suspension";

export type Asked = "hold" | "release" | "cancel";

/** The service key that requested a message, and the application of the key. */
export interface MessageAuthor {
  readonly key: string;
  readonly application: string;
}

/** The copy in the Sent folder: due from the first acceptance until it is stored or given up. */
export interface SentCopy {
  readonly state: "none" | "owed" | "kept" | "given_up";
  readonly step: number;
  readonly at: number | null;
  /** The reason why the copy is not stored; `reason` as in a `MailServerError`, such as `over_quota`. */
  readonly failure?: CopyFailure;
}

export interface CopyFailure {
  readonly reason: string;
  readonly detail: string;
}

/** The state of a message, derived from its recipients (spec 6). */
export type OutgoingState = (typeof OUTGOING_STATES)[number];
