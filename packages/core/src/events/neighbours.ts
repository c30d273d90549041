/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Ports
export type { EventFeed, EventFilter } from "./ports/EventLedger.ts";

// Records and rules
export { type FolderChoice, foldersIn, INBOX_ALONE, isChosen, isInFeed, isTold } from "./folder-choice.ts";
export { EVENT_TYPE_NAMES, EVENT_TYPES, type EventData, isEventType } from "./event-types.ts";
export { KEPT_MILLIS } from "./kept.ts";
export { events } from "./module.ts";
export { eventAccount, type EventAccount, eventBody, eventTime } from "./write-event.ts";
