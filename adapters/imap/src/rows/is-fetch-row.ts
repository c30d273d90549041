const FETCHED = /^\* \d+ FETCH /i;

/** Returns whether a response is a FETCH, including an unreadable one. */
export const isFetchRow = (payload: Buffer): boolean => FETCHED.test(payload.toString("latin1", 0, 24));
