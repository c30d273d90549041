import type { AccountId } from "@postern/core/shared";

/** A draft as a client knows it. */
export interface KnownDraft {
  readonly account: AccountId;
  readonly number: number;
  readonly id: string;
  version: string;
  /** The number of subjects that the draft has had. */
  subjects: number;
}
