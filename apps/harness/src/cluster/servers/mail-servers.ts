import { MailServerInMemory } from "@postern/memory";

const HOSTS = ["imap.new.test", "smtp.new.test"];

/**
 * Returns the mail server of all accounts, with another one to which accounts of own.test may move. The mailboxes of the
 * two have the same counters. `opens` returns whether an access token opens an account.
 */
export const mailServers = (opens: MailServerInMemory["opens"]): MailServerInMemory => {
  const [mail, other] = [new MailServerInMemory(1), new MailServerInMemory(1)];
  for (const server of [mail, other]) server.opens = opens;
  for (const host of HOSTS) mail.others.set(host, other);
  return mail;
};
