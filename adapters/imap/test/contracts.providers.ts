import {
  describeWithDovecot,
  inboxPagingContract,
  inboxWatchContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  messageChangesContract,
  messageFingerprintsContract,
  messageReaderContract,
  messageSearchContract,
  profileOf,
  searchPagingContract,
  sentFolderContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { plainIds, recordsInMemory } from "./doubles.ts";
import { imapLike } from "./imap-like.ts";

const ALL = { all: "[Gmail]/All Mail" };

const name = process.env["PROFILE"] ?? "gmail";
const quirks = name === "nonsense" ? [] : profileOf(name).quirks;
const removed = quirks.flatMap((quirk) => (quirk.kind === "removes" ? quirk.capabilities : []));

describeWithDovecot(name, () => {
  const ports = imapLike(name);
  const stored = Layer.mergeAll(ports, plainIds, recordsInMemory);
  mailLoginContract("MailLogin", ports);
  mailboxTreeContract("MailboxTree", ports, { countsUids: name !== "163", marks: !removed.includes("SPECIAL-USE") });
  mailboxReaderContract("MailboxReader", ports);
  inboxPagingContract("Inbox", stored, { runs: 4 });
  messageSearchContract("MessageSearch", ports);
  searchPagingContract("Search", stored);
  messageReaderContract("MessageReader", ports);
  messageChangesContract("MessageChanges", imapLike(name, ALL));
  inboxWatchContract("InboxWatch", ports);
  messageFingerprintsContract("MessageFingerprints", ports);
  sentFolderContract("SentFolder", ports);
});
