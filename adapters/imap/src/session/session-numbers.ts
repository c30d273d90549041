import type { ImapFlow } from "imapflow";

/** The number of each session, in the order of opening. */
const numbers = new WeakMap<ImapFlow, number>();
let opened = 0;

/** Numbers a session that was just opened. */
export const numberSession = (client: ImapFlow): void => void numbers.set(client, ++opened);

/** Returns a function that tells whether a session was opened after this call. */
export const fromNowOn = (): ((client: ImapFlow) => boolean) => {
  const before = opened;
  return (client) => numbers.get(client)! > before;
};
