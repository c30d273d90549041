import type { EventType, MailEvent } from "@postern/core/events";
import { AccountId } from "@postern/core/shared";

/** The tables of `events`. */
export interface EventsTables {
  readonly event: EventRow;
  /** The feed of all accounts; the table has a single row. */
  readonly event_feed: { readonly epoch: string; readonly last: number; readonly forgotten: number };
  readonly event_count: { readonly account: string; readonly count: number };
}

export interface EventRow {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly occurred_at: number;
  readonly body: Uint8Array;
  /** From 1, in the order in which the account's events were committed. */
  readonly position: number;
  /** The number in the feed of all accounts; null until a program reads the feed. */
  readonly number: number | null;
}

/** Returns the event of a row. */
export const eventOf = ({
  id,
  account,
  type,
  occurred_at,
  body,
}: Omit<EventRow, "position" | "number">): MailEvent => ({
  id,
  account: AccountId(account),
  // Only this adapter writes the column.
  type: type as EventType,
  occurredAt: occurred_at,
  body: new Uint8Array(body),
});
