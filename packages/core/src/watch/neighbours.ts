/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { WatchStarter } from "./WatchStarter.ts";

// Ports
export type { ClaimedWatch } from "./ports/AccountWatches.ts";

// Records and rules
export type { QuietTime } from "./LiveInboxes.ts";
export { matchReturned } from "./match-returned.ts";
export { watch } from "./module.ts";
export {
  type MailboxChange,
  type MailboxObservation,
  type MailboxSync,
  sameFlags,
  syncMailbox,
} from "./sync-mailbox.ts";
export { WATCHED_FOR } from "./WatchStarter.ts";
