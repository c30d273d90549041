// Use cases and workers
export { LiveInboxes } from "./LiveInboxes.ts";
export { OwnMoves } from "./OwnMoves.ts";

// Ports
export { type AccountWatch, AccountWatches } from "./ports/AccountWatches.ts";
export { type ExpectedMessage, FollowedMailboxes, type LeftMessage } from "./ports/FollowedMailboxes.ts";
export {
  type InboxPoll,
  InboxWatch,
  type MailboxSlice,
  type WatchedInbox,
  type WatchKind,
} from "./ports/InboxWatch.ts";
export { type BegunMove, MovedMessages } from "./ports/MovedMessages.ts";
export { MessageFingerprints } from "./ports/MessageFingerprints.ts";
export { SenderBlocks } from "./ports/SenderBlocks.ts";

// Records and rules
export type { ArrivedMessage } from "./ArrivedMessage.ts";
export { matchFingerprints } from "./match-fingerprints.ts";
export type { SenderBlock } from "./SenderBlock.ts";
export type { Fingerprint, MessageFlags, SeenMessage } from "./SeenMessage.ts";
export type { KnownMailbox } from "./sync-mailbox.ts";
export { countIn, isIn, rangesBelow, rangesOf, type UidRanges } from "./uid-ranges.ts";
