const FETCHED = /^\* \d+ FETCH /i;

/** Whether a response is a FETCH, readable or not. */
export const isFetchRow = (payload: Buffer): boolean => FETCHED.test(payload.toString("latin1", 0, 24));
