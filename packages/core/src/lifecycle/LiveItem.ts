import type { MailEvent } from "../events/index.ts";

/**
 * An item of a stream: an event, a gap (events may be missing before the next item), a position, or a heartbeat. A
 * client that sends the id of an item resumes after this item.
 */
export type LiveItem =
  | { readonly _tag: "Event"; readonly id: string; readonly event: MailEvent }
  | { readonly _tag: "Position"; readonly id: string }
  | { readonly _tag: "Gap" }
  | { readonly _tag: "Heartbeat" };
