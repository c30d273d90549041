// Use cases and workers
export { EventPublisher } from "./EventPublisher.ts";

// Ports
export { EventLedger, type LedgerEntry } from "./ports/EventLedger.ts";
export { EventSubscribers } from "./ports/EventSubscribers.ts";

// Records and rules
export type { EventType } from "./event-types.ts";
export type { MailEvent } from "./MailEvent.ts";
export { eventId, writeEvent } from "./write-event.ts";
