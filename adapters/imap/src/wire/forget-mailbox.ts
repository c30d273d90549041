import type { ImapFlow } from "imapflow";

/** What imapflow's declarations leave out. */
interface Selecting {
  mailbox: ImapFlow["mailbox"];
  state: number;
  readonly states: { readonly AUTHENTICATED: number };
}

/** Makes imapflow forget the mailbox that it selected, because commands that it does not know of will select others. */
export const forgetMailbox = (client: ImapFlow): void => {
  const selecting = client as unknown as Selecting;
  selecting.mailbox = false;
  selecting.state = selecting.states.AUTHENTICATED;
};
