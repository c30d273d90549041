/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Ports
export type { EventFeed, EventFilter } from "./ports/EventLedger.ts";

// Records and rules
export { type FolderChoice, foldersIn, INBOX_ALONE, isChosen, isInFeed, isTold } from "./folder-choice.ts";
export { type EventData, isEventType } from "./event-types.ts";
export { KEPT_MILLIS } from "./kept.ts";
export { eventAccount, type EventAccount, eventBody, eventTime } from "./write-event.ts";
