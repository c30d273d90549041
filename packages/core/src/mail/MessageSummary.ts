/** A mailbox address as a header shows it; either part may be empty. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

/** A part of a message meant to be saved. */
export interface Attachment {
  /** Its section number in the message (RFC 9051, 6.4.5), such as `2.1`. */
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  /** Bytes once decoded, reckoned from the encoded size. */
  readonly size: number;
}

/**
 * A message as a listing shows it, from one FETCH of UID, FLAGS, ENVELOPE, INTERNALDATE, RFC822.SIZE and
 * BODYSTRUCTURE (spec 5). Times are epoch milliseconds; header text is decoded to Unicode.
 */
export interface MessageSummary {
  readonly uid: number;
  /** The Message-ID header with its angle brackets, if there is one. */
  readonly messageId: string | null;
  /** The server's own thread identifier (RFC 8474 THREADID), where it has one. */
  readonly threadId: string | null;
  readonly subject: string;
  readonly from: Address | null;
  readonly to: ReadonlyArray<Address>;
  readonly cc: ReadonlyArray<Address>;
  readonly arrivedAt: number;
  readonly sentAt: number | null;
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly answered: boolean;
  readonly draft: boolean;
  readonly size: number;
  readonly attachments: ReadonlyArray<Attachment>;
}
