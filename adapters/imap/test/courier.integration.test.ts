import {
  describeWithCourier,
  draftsFolderContract,
  inboxWatchContract,
  messageChangesContract,
  messageSearchContract,
  sentFolderContract,
} from "@postern/testkit";
import { imapOnCourier } from "./imap-on-courier.ts";

describeWithCourier("IMAP on Courier", () => {
  const ports = imapOnCourier();
  messageChangesContract("MessageChanges", ports, { longKeywords: true });
  messageSearchContract("MessageSearch", ports, { prefix: "INBOX." });
  inboxWatchContract("InboxWatch", ports);
  sentFolderContract("SentFolder", ports);
  draftsFolderContract("DraftsFolder", ports);
});
