import type { ImapFlow } from "imapflow";

/** The number of each session, in the order of opening. */
const numbers = new WeakMap<ImapFlow, number>();
let opened = 0;

/** Numbers a session that was just opened. */
export const numberSession = (client: ImapFlow): void => void numbers.set(client, ++opened);

/** Returns the number of sessions opened so far. */
export const countSessions = (): number => opened;

/** Returns whether a session was opened after as many others as `countSessions` returned. */
export const isOpenedAfter = (client: ImapFlow, sessions: number): boolean => numbers.get(client)! > sessions;
