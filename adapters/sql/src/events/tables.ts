/** The tables of `events`. */
export interface EventsTables {
  readonly event: EventRow;
  readonly event_count: { readonly account: string; readonly count: number };
}

export interface EventRow {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly occurred_at: number;
  readonly body: Uint8Array;
  /** From 1, in the order the account's events were committed. */
  readonly position: number;
}
