const REMOVED = /^\* (?:\d+ EXPUNGE|VANISHED)/i;

/** Returns whether a response reports messages that were removed. */
export const isRemoval = (payload: Buffer): boolean => REMOVED.test(payload.toString("latin1", 0, 24));
