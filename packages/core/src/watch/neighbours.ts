/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Use cases and workers
export type { MoveTarget } from "./OwnMoves.ts";
export { WatchStarter } from "./WatchStarter.ts";

// Ports
export type { ClaimedWatch } from "./ports/AccountWatches.ts";

// Records and rules
export { sameFlags } from "./changed-flags.ts";
export { type FollowedMoves, followMoves } from "./follow-moves.ts";
export { byMailbox, locationKey, readLocations } from "./left-locations.ts";
export { pairRenumbered } from "./match-fingerprints.ts";
export type { FollowedMailbox, FollowingProgress } from "./ports/FollowedMailboxes.ts";
export type { MailboxStanding, WatchedMailbox } from "./ports/InboxWatch.ts";
export type { LeftLocation } from "./ports/MovedMessages.ts";
export { isSameCursor, isSameState } from "./same-state.ts";
export {
  type FolderSync,
  type HeldChanges,
  type MessageMove,
  type SettledFolder,
  type SettledRound,
  settleRound,
} from "./settle-round.ts";
export type { FoundFingerprints } from "./ports/MessageFingerprints.ts";
export type { MessagesAt } from "./ports/MovedMessages.ts";
export type { QuietTime } from "./LiveInboxes.ts";
export { keepWatched } from "./keep-watched.ts";
export { matchReturned } from "./match-returned.ts";
export { watch } from "./module.ts";
export { type MailboxChange, type MailboxObservation, type MailboxSync, syncMailbox } from "./sync-mailbox.ts";
export { WATCHED_FOR } from "./WatchStarter.ts";
