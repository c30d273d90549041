import type { LeasedRow } from "./LeasedRow.ts";

/** The tables of `bounces`. */
export interface BouncesTables {
  readonly parse_job: ParseJobRow;
  readonly reported_recipient: { readonly outgoing_id: string; readonly recipient: string; readonly kind: string };
}

export interface ParseJobRow extends LeasedRow {
  readonly account: string;
  /** The job as JSON, which is only read and written as a whole. */
  readonly record: string;
}
