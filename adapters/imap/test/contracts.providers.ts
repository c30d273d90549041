import {
  describeWithCourier,
  describeWithDovecot,
  draftsFolderContract,
  inboxPagingContract,
  inboxWatchContract,
  mailboxChangesContract,
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
import { imapOnCourier } from "./imap-on-courier.ts";
import { imapLike } from "./imap-like.ts";

const ALL = { all: "[Gmail]/All Mail" };

/** Courier refuses these names in modified UTF-7, but accepts them in UTF-8, which Postern sends. */
const BEYOND_16_BITS = /[\u{10000}-\u{10ffff}]/u;

const name = process.env["PROFILE"] ?? "gmail";
const isCourier = name === "courier";
const isGmail = name === "gmail";
const quirks = isCourier || name === "nonsense" ? [] : profileOf(name).quirks;
const removed = quirks.flatMap((quirk) => (quirk.kind === "removes" ? quirk.capabilities : []));
const marks = !isCourier && !removed.includes("SPECIAL-USE");
const prefix = isCourier ? "INBOX." : "";

(isCourier ? describeWithCourier : describeWithDovecot)(name, () => {
  const ports = isCourier ? imapOnCourier() : imapLike(name);
  const stored = Layer.mergeAll(ports, plainIds, recordsInMemory);
  if (!isCourier) mailLoginContract("MailLogin", ports);
  const countsUids = name !== "163";
  mailboxTreeContract("MailboxTree", ports, {
    countsUids,
    marks,
    prefix,
    ...(isCourier ? { refuses: BEYOND_16_BITS, explains: false } : {}),
  });
  mailboxChangesContract("MailboxChanges", ports, { countsUids });
  mailboxReaderContract("MailboxReader", ports, { prefix, states: !isCourier && !removed.includes("CONDSTORE") });
  inboxPagingContract("Inbox", stored, { runs: 4, prefix });
  // The imitation of Gmail reads only labels that are atoms.
  messageSearchContract("MessageSearch", ports, { prefix, ...(isGmail ? { labels: "atoms" } : {}) });
  searchPagingContract("Search", stored, { prefix });
  messageReaderContract("MessageReader", ports, { prefix });
  messageChangesContract("MessageChanges", isCourier ? ports : imapLike(name, ALL), {
    longKeywords: isCourier,
    folds: isGmail ? "ascii" : "all",
  });
  inboxWatchContract("InboxWatch", ports);
  messageFingerprintsContract("MessageFingerprints", ports);
  sentFolderContract("SentFolder", ports);
  draftsFolderContract("DraftsFolder", ports);
});
