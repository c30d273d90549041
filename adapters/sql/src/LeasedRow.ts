/** What every table of leased rows has. */
export interface LeasedRow {
  readonly id: string;
  /** When it may be taken: when it is due, or, while it is leased, when the lease runs out. Null: never. */
  readonly due_at: number | null;
  /** Who holds it; stays when the lease runs out, until somebody else takes it. */
  readonly lease_token: string | null;
}
