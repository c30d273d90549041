import type { AccountId } from "../../shared/index.ts";
import type { approvalFields } from "../rules.ts";

/** The state of an approval. Every state but `pending` is final. */
export type ApprovalState = (typeof approvalFields.state.literals)[number];

/** The key or the grant that asks for an approval. */
export interface Requester {
  readonly kind: "key" | "grant";
  readonly id: string;
  readonly name: string;
  readonly application: string;
}

/** A request to a person to approve the sending of a draft (spec 13.2). Times in epoch milliseconds. */
export interface Approval {
  readonly id: string;
  readonly account: AccountId;
  readonly draftId: string;
  /** The version of the draft to send if the request is approved. */
  readonly version: number;
  readonly state: ApprovalState;
  readonly by: Requester;
  /** All recipients; `known` if the owner has written to the address before. */
  readonly recipients: ReadonlyArray<{ readonly address: string; readonly known: boolean }>;
  readonly subject: string;
  /** The beginning of the text. */
  readonly preview: string;
  readonly files: ReadonlyArray<{ readonly name: string; readonly type: string; readonly size: number }>;
  /** A hash of the draft's contents and sender. A draft with another hash is not sent. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt: number | null;
  /** The person's reason for a denial. */
  readonly reason: string | null;
}
