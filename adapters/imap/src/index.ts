import type { HostAdmission } from "@postern/core/accounts";
import type { MailLogin } from "@postern/core/auth";
import type { MailCredentials } from "@postern/core/oauth";
import type { MailServers } from "@postern/core/mail";
import type { EgressGuard } from "@postern/core/shared";
import type { InboxWatch, MessageFingerprints } from "@postern/core/watch";
import type { MailboxChanges, MailboxTree } from "@postern/core/folders";
import type { MailboxReader, MessageChanges, MessageReader, MessageSearch } from "@postern/core/messages";
import type { DraftsFolder } from "@postern/core/drafts";
import type { SentFolder } from "@postern/core/send";
import { Layer } from "effect";
import { ImapConnections } from "./session/ImapConnections.ts";
import { type ImapOptions, settingsOf } from "./connection/ImapOptions.ts";
import { MessageStructures } from "./session/MessageStructures.ts";
import { layer as draftsFolder } from "./drafts/DraftsFolder.ts";
import { layer as inboxWatch } from "./watch/InboxWatch.ts";
import { layer as mailboxChanges } from "./folders/MailboxChanges.ts";
import { layer as mailboxReader } from "./messages/MailboxReader.ts";
import { layer as mailboxTree } from "./folders/MailboxTree.ts";
import { layer as mailLogin } from "./auth/MailLogin.ts";
import { layer as messageChanges } from "./messages/MessageChanges.ts";
import { layer as messageFingerprints } from "./watch/MessageFingerprints.ts";
import { layer as messageReader } from "./messages/MessageReader.ts";
import { layer as messageSearch } from "./messages/MessageSearch.ts";
import { layer as sentFolder } from "./send/SentFolder.ts";

export { probeImap } from "./accounts/probe-imap.ts";
export type { ImapOptions, ImapTimeouts } from "./connection/ImapOptions.ts";

/** The IMAP adapter: sign-in, folders and listings over a few reused connections per account (spec 1, 5). */
export const layer = (
  options: ImapOptions = {},
): Layer.Layer<
  | MailLogin
  | MailboxTree
  | MailboxChanges
  | MailboxReader
  | MessageChanges
  | MessageReader
  | MessageSearch
  | SentFolder
  | DraftsFolder
  | InboxWatch
  | MessageFingerprints,
  never,
  MailServers | MailCredentials | EgressGuard | HostAdmission
> => {
  const settings = settingsOf(options);
  const overConnections = Layer.mergeAll(
    mailboxChanges(settings),
    mailboxReader(settings),
    messageChanges(settings),
    messageReader(settings),
    messageSearch(settings),
    sentFolder(settings),
    draftsFolder(settings),
    messageFingerprints(settings),
    Layer.provideMerge(inboxWatch(settings), mailboxTree(settings)),
  );
  return Layer.merge(
    mailLogin(settings),
    Layer.provide(overConnections, [ImapConnections.layer(settings), MessageStructures.layer]),
  );
};
