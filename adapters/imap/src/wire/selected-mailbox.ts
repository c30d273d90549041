import type { ImapFlow, MailboxObject } from "imapflow";

/** Members that imapflow's declarations omit. */
interface Selecting {
  mailbox: ImapFlow["mailbox"];
  state: number;
  readonly states: { readonly AUTHENTICATED: number; readonly SELECTED: number };
}

/** Makes imapflow forget the mailbox that it selected. */
export const forgetMailbox = (client: ImapFlow): void => {
  const selecting = client as unknown as Selecting;
  selecting.mailbox = false;
  selecting.state = selecting.states.AUTHENTICATED;
};

/** Makes imapflow treat a mailbox as the selected one. */
export const rememberMailbox = (client: ImapFlow, mailbox: MailboxObject): void => {
  const selecting = client as unknown as Selecting;
  selecting.mailbox = mailbox;
  selecting.state = selecting.states.SELECTED;
};
