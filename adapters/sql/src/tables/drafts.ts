import type { LeasedRow } from "./LeasedRow.ts";

/** The tables of `drafts`. */
export interface DraftsTables {
  readonly draft: DraftRow;
}

export interface DraftRow extends LeasedRow {
  readonly account: string;
  readonly state: "draft" | "sending" | "sent";
  readonly saved_at: number;
  /** 1 if there is a copy in the Drafts folder. */
  readonly has_copy: number;
  /** The draft as JSON, always read and written as a whole. */
  readonly record: string;
}
