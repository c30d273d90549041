/**
 * The extent to which a mailbox has been read (spec 7): every message below `uidNext` under this UIDVALIDITY was either
 * seen or deleted before it could be seen.
 */
export interface MailboxCursor {
  readonly uidValidity: number;
  readonly uidNext: number;
  /** HIGHESTMODSEQ (RFC 7162); null if the server lacks CONDSTORE. */
  readonly highestModSeq: number | null;
}
