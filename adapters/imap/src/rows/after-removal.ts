import type { FetchMessageObject } from "imapflow";

const REMOVED = /^\* (?:(\d{1,10}) EXPUNGE|VANISHED ([\d:,]+))/i;

/**
 * Updates a fetched row after an EXPUNGE or VANISHED response; returns undefined if the response reports the removal of
 * its message. Dovecot still returns a message that another session expunged, and reports the removal in answer to the
 * next NOOP.
 */
export const afterRemoval = (row: FetchMessageObject, payload: Buffer): FetchMessageObject | undefined => {
  const [, position, uids] = REMOVED.exec(payload.toString("latin1", 0, MAX_REMOVAL_BYTES)) ?? [];
  if (uids !== undefined) return isInSet(row.uid, uids) ? undefined : row;
  if (position === undefined || Number(position) > row.seq) return row;
  return Number(position) === row.seq ? undefined : { ...row, seq: row.seq - 1 };
};

/** Maximum number of bytes of a response that are searched for a removal. */
const MAX_REMOVAL_BYTES = 64 << 10;

const isInSet = (uid: number, set: string): boolean =>
  set.split(",").some((range) => {
    const [first, last = first] = range.split(":").map(Number);
    return uid >= Math.min(first!, last!) && uid <= Math.max(first!, last!);
  });
