/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { type EventData, isEventType } from "./event-types.ts";
export { eventAccount, type EventAccount, eventBody, eventTime } from "./write-event.ts";
