import type { AccountId } from "../shared/index.ts";
import type { EventType } from "./event-types.ts";

/** An event of an account, as webhooks and streams report it (spec 7). */
export interface MailEvent {
  readonly id: string;
  readonly account: AccountId;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  /** `{id, event, timestamp, account, data}` as JSON in UTF-8, written once: every attempt signs and sends the same bytes. */
  readonly body: Uint8Array;
  /**
   * The ids of the event's folders; for a moved message, both folders. Absent if the event concerns no folder, and in
   * events of INBOX from releases without this field.
   */
  readonly folders?: ReadonlyArray<string>;
  /** Whether the event stands for a move, for a reader that does not receive the move itself (spec 7.11). */
  readonly standsForMove?: boolean;
}
