import { Layer } from "effect";
import { layer as MailLogin } from "./auth/MailLogin.ts";
import { layer as MailboxChanges } from "./folders/MailboxChanges.ts";
import { layer as MailboxTree } from "./folders/MailboxTree.ts";
import { layer as MailboxReader } from "./messages/MailboxReader.ts";
import { layer as MessageChanges } from "./messages/MessageChanges.ts";
import { layer as MessageReader } from "./messages/MessageReader.ts";
import { layer as MessageSearch } from "./messages/MessageSearch.ts";
import { layer as InboxWatch } from "./watch/InboxWatch.ts";
import { layer as MessageFingerprints } from "./watch/MessageFingerprints.ts";

/** The ports of mail servers over a `MailWorld`, with credentials from a vault. */
export const MailInMemory = Layer.mergeAll(
  MailLogin,
  MailboxChanges,
  MailboxTree,
  MailboxReader,
  MessageChanges,
  MessageReader,
  MessageSearch,
  InboxWatch,
  MessageFingerprints,
);
