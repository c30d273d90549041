/** A mailbox address as a header shows it; either part may be empty. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

/** The maximum number of addresses of a field in a summary. */
export const MAX_ADDRESSES = 200;

/** The maximum number of attachments in a summary and in a message. */
export const MAX_ATTACHMENTS = 1_000;

/** The number of characters of a subject or of a person's name that are shown and stored. A folded field may be as long as a message. */
export const MAX_SHOWN_CHARS = 1_000;

/** A part of a message that is an attachment. */
export interface Attachment {
  /** The section number (RFC 9051, 6.4.5), such as `2.1`. */
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  /** Decoded size in bytes, estimated from the encoded size. */
  readonly size: number;
}

/**
 * A message in a listing, from one FETCH of UID, FLAGS, ENVELOPE, INTERNALDATE, RFC822.SIZE, BODYSTRUCTURE and the
 * fields that relate messages to each other (spec 5). Times are epoch milliseconds; header text is decoded to Unicode.
 */
export interface MessageSummary {
  readonly uid: number;
  /** The Message-ID header with its angle brackets; null if there is none. */
  readonly messageId: string | null;
  /** The id of the message's conversation: the server's id (THREADID of RFC 8474, X-GM-THRID), or else a derived id (`deriveThreadId`). */
  readonly threadId: string | null;
  readonly subject: string;
  readonly from: Address | null;
  /** The first {@link MAX_ADDRESSES} addresses of the field; the same applies to `cc`. */
  readonly to: ReadonlyArray<Address>;
  readonly cc: ReadonlyArray<Address>;
  /** The number of addresses in the field. */
  readonly toCount: number;
  readonly ccCount: number;
  readonly arrivedAt: number;
  readonly sentAt: number | null;
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly answered: boolean;
  readonly draft: boolean;
  /** The labels of the message, as `labelsOf` returns them. */
  readonly labels: ReadonlyArray<string>;
  readonly size: number;
  /** The first {@link MAX_ATTACHMENTS} attachments. */
  readonly attachments: ReadonlyArray<Attachment>;
  readonly attachmentCount: number;
}
