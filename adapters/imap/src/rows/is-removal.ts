const REMOVED = /^\* (?:\d+ EXPUNGE|VANISHED)/i;

/** Whether a response reports messages that were removed. */
export const isRemoval = (payload: Buffer): boolean => REMOVED.test(payload.toString("latin1", 0, 24));
