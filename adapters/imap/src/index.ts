import type { CredentialVault, MailLogin } from "@postern/core/auth";
import type { InboxWatch, MessageFingerprints } from "@postern/core/watch";
import type { MailboxChanges, MailboxTree } from "@postern/core/folders";
import type { MailboxReader, MessageChanges, MessageReader, MessageSearch } from "@postern/core/messages";
import type { SentFolder } from "@postern/core/send";
import { Layer } from "effect";
import { ImapConnections } from "./ImapConnections.ts";
import { type ImapOptions, settingsOf } from "./ImapOptions.ts";
import { inboxWatch } from "./InboxWatchOverImap.ts";
import { mailboxChanges } from "./MailboxChangesOverImap.ts";
import { mailboxReader } from "./MailboxReaderOverImap.ts";
import { mailboxTree } from "./MailboxTreeOverImap.ts";
import { mailLogin } from "./MailLoginOverImap.ts";
import { messageChanges } from "./MessageChangesOverImap.ts";
import { messageFingerprints } from "./MessageFingerprintsOverImap.ts";
import { messageReader } from "./MessageReaderOverImap.ts";
import { messageSearch } from "./MessageSearchOverImap.ts";
import { sentFolder } from "./SentFolderOverImap.ts";

export type { ImapOptions, ImapTimeouts } from "./ImapOptions.ts";

/** The mail server over IMAP: sign-in, folders and listings, on a few kept connections per account (decisions 1 to 5). */
export const layer = (
  options: ImapOptions,
): Layer.Layer<
  | MailLogin
  | MailboxTree
  | MailboxChanges
  | MailboxReader
  | MessageChanges
  | MessageReader
  | MessageSearch
  | SentFolder
  | InboxWatch
  | MessageFingerprints,
  never,
  CredentialVault
> => {
  const settings = settingsOf(options);
  const overConnections = Layer.mergeAll(
    mailboxTree(settings),
    mailboxChanges(settings),
    mailboxReader(settings),
    messageChanges(settings),
    messageReader(settings),
    messageSearch(settings),
    sentFolder(settings),
    inboxWatch(settings),
    messageFingerprints(settings),
  );
  return Layer.merge(mailLogin(settings), Layer.provide(overConnections, ImapConnections.layer(settings)));
};
