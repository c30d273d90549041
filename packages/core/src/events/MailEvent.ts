import type { AccountId } from "../shared/index.ts";
import type { EventType } from "./event-types.ts";

/** An event of an account, as webhooks and streams report it (spec 7). */
export interface MailEvent {
  readonly id: string;
  readonly account: AccountId;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  /** `{id, event, timestamp, account, data}` as JSON in UTF-8, written once: every attempt signs and sends these bytes. */
  readonly body: Uint8Array;
}
