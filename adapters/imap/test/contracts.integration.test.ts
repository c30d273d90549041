import {
  describeWithDovecot,
  inboxPagingContract,
  inboxWatchContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  messageReaderContract,
  messageSearchContract,
  sentFolderContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { plainIds, recordsInMemory } from "./doubles.ts";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

describeWithDovecot("IMAP on Dovecot", () => {
  for (const separator of ["/", "."] as const) {
    const ports = imapOnDovecot({ separator });
    mailLoginContract(`MailLogin, separator ${separator}`, ports);
    mailboxTreeContract(`MailboxTree, separator ${separator}`, ports);
    mailboxReaderContract(`MailboxReader, separator ${separator}`, ports);
    messageSearchContract(`MessageSearch, separator ${separator}`, ports);
    messageReaderContract(`MessageReader, separator ${separator}`, ports);
    inboxWatchContract(`InboxWatch, separator ${separator}`, ports);
    sentFolderContract(`SentFolder, separator ${separator}`, ports);
  }
  inboxPagingContract("Inbox", Layer.mergeAll(imapOnDovecot(), plainIds, recordsInMemory), { runs: 12 });
});
