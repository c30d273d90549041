/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { eventAccount, type EventAccount } from "./event-account.ts";
export { eventTime } from "./event-id.ts";
export { type EventData, isEventType } from "./event-types.ts";
export { eventBody } from "./write-event.ts";
