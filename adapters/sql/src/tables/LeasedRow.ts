/** The columns of every table with leased rows. */
export interface LeasedRow {
  readonly id: string;
  /** The time at which the row may be claimed: its due time or, while leased, the end of the lease. Null for never. */
  readonly due_at: number | null;
  /** The token of the holder; stays after the lease expired until another worker claims the row. */
  readonly lease_token: string | null;
}
