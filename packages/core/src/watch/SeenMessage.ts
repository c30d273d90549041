/** The properties that identify a message after its UID became invalid (spec 7). */
export interface Fingerprint {
  /** EMAILID (RFC 8474); null if the server lacks OBJECTID. */
  readonly emailId: string | null;
  readonly messageId: string | null;
  /** The size in bytes. */
  readonly size: number;
  /** INTERNALDATE, epoch milliseconds. It only decides between otherwise equal messages, because servers change it on copying. */
  readonly arrivedAt: number;
}

/** The flags whose changes are announced. */
export interface MessageFlags {
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly answered: boolean;
  /** The labels as `labelsOf` returns them; null for a message recorded by a release without labels. */
  readonly labels: ReadonlyArray<string> | null;
}

/** A known message of a mailbox. */
export interface SeenMessage extends Fingerprint, MessageFlags {
  readonly uid: number;
}
