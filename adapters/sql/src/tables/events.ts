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
  /** The position, from 1, in the order in which the account's events were committed. */
  readonly position: number;
  /** The ids of the folders of the event, separated by spaces; empty for none, null in rows of earlier releases. */
  readonly folders: string | null;
  /** 1 if the event stands for a move. */
  readonly stands_for_move: number | null;
  /** The number in the feed of all accounts; null until a program reads the feed. */
  readonly number: number | null;
}

/** The columns of an event. A claim of deliveries does not read the folders. */
type EventColumns = Omit<EventRow, "position" | "number" | "folders" | "stands_for_move"> &
  Partial<Pick<EventRow, "folders" | "stands_for_move">>;

/** Returns the event of a row. */
export const eventOf = ({
  id,
  account,
  type,
  occurred_at,
  body,
  folders,
  stands_for_move,
}: EventColumns): MailEvent => ({
  id,
  account: AccountId(account),
  // No other code writes the column.
  type: type as EventType,
  occurredAt: occurred_at,
  body: new Uint8Array(body),
  ...(folders === null || folders === undefined ? {} : { folders: folders.split(" ").filter(Boolean) }),
  ...(stands_for_move === 1 ? { standsForMove: true } : {}),
});
