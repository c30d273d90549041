import type { ApprovalState } from "@postern/core/drafts";
import type { LeasedRow } from "./LeasedRow.ts";

/** The tables of `drafts`. */
export interface DraftsTables {
  readonly draft: DraftRow;
  readonly approval: ApprovalRow;
}

export interface DraftRow extends LeasedRow {
  readonly account: string;
  readonly state: "draft" | "sending" | "sent";
  readonly saved_at: number;
  /** 1 if the Drafts folder has a copy, otherwise 0. */
  readonly has_copy: number;
  /** The draft as JSON, always read and written as a whole. */
  readonly record: string;
}

export interface ApprovalRow {
  readonly id: string;
  readonly account: string;
  readonly draft: string;
  /** The id of the key or the grant that requested the approval. */
  readonly requester: string;
  readonly state: ApprovalState;
  readonly created_at: number;
  readonly expires_at: number;
  /** The approval as JSON, always read and written as a whole. */
  readonly record: string;
}
