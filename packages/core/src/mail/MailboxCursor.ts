/**
 * How far a mailbox has been followed (spec 7): every message below `uidNext` under this UIDVALIDITY is either in
 * what was seen or was gone before anybody looked.
 */
export interface MailboxCursor {
  readonly uidValidity: number;
  readonly uidNext: number;
  /** CONDSTORE's mark (RFC 7162), null where the server has none. */
  readonly highestModSeq: number | null;
}
