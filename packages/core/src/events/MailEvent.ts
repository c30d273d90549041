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
  /**
   * The ids of the folders that the event is about; of a moved message, where it is and where it was. Absent if the event
   * is about no folder, and in events of INBOX from releases without this field.
   */
  readonly folders?: ReadonlyArray<string>;
  /** Whether the event stands for a move, for a reader that is not told of the move itself (spec 7.11). */
  readonly standsForMove?: boolean;
}
