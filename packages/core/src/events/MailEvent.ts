import type { AccountId } from "../shared/index.ts";
import type { EventType } from "./event-types.ts";

/** Something that happened to an account's mail, as it is told to the outside (spec 7). */
export interface MailEvent {
  readonly id: string;
  readonly account: AccountId;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  /** `{id, event, timestamp, data}` as JSON in UTF-8, written once: these bytes are signed and sent every time. */
  readonly body: Uint8Array;
}
