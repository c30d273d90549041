import {
  describeWithCyrus,
  describeWithDovecot,
  inboxPagingContract,
  inboxWatchContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  messageFingerprintsContract,
  messageReaderContract,
  messageSearchContract,
  nightly,
  searchPagingContract,
  draftsFolderContract,
  sentFolderContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { plainIds, recordsInMemory } from "./doubles.ts";
import { imapOnCyrus } from "./imap-on-cyrus.ts";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

describeWithDovecot("IMAP on Dovecot", () => {
  for (const separator of ["/", ...nightly(["."])] as const) {
    const ports = imapOnDovecot({ separator });
    mailLoginContract(`MailLogin, separator ${separator}`, ports);
    mailboxTreeContract(`MailboxTree, separator ${separator}`, ports);
    mailboxReaderContract(`MailboxReader, separator ${separator}`, ports);
    messageSearchContract(`MessageSearch, separator ${separator}`, ports);
    messageReaderContract(`MessageReader, separator ${separator}`, ports);
    inboxWatchContract(`InboxWatch, separator ${separator}`, ports);
    messageFingerprintsContract(`MessageFingerprints, separator ${separator}`, ports);
    sentFolderContract(`SentFolder, separator ${separator}`, ports);
    draftsFolderContract(`DraftsFolder, separator ${separator}`, ports);
  }
  const ports = Layer.mergeAll(imapOnDovecot(), plainIds, recordsInMemory);
  inboxPagingContract("Inbox", ports, { runs: 12 });
  searchPagingContract("Search", ports);
});

describeWithCyrus("IMAP on Cyrus", () => {
  const ports = imapOnCyrus();
  messageFingerprintsContract("MessageFingerprints", ports);
  draftsFolderContract("DraftsFolder", ports);
  const stored = Layer.mergeAll(ports, plainIds, recordsInMemory);
  inboxPagingContract("Inbox", stored, { runs: 6 });
  searchPagingContract("Search", stored, { inBodies: false });
});
