/** What tells a message from others once its UID means nothing any more (spec 7). */
export interface Fingerprint {
  /** EMAILID (RFC 8474), null where the server has none. */
  readonly emailId: string | null;
  readonly messageId: string | null;
  /** Bytes. */
  readonly size: number;
  /** INTERNALDATE, epoch milliseconds: breaks ties only, for servers change it when they copy. */
  readonly arrivedAt: number;
}

/** The flags whose changes are announced. */
export interface MessageFlags {
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly answered: boolean;
}

/** A message that is in a mailbox and needs no announcing any more. */
export interface SeenMessage extends Fingerprint, MessageFlags {
  readonly uid: number;
}
