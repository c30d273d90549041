/**
 * The position up to which a mailbox has been read (spec 7). Every message below `uidNext` under this UIDVALIDITY was
 * seen, or was deleted before Postern could see it.
 */
export interface MailboxCursor {
  readonly uidValidity: number;
  readonly uidNext: number;
  /** HIGHESTMODSEQ (RFC 7162); null if the server lacks CONDSTORE. */
  readonly highestModSeq: number | null;
}
