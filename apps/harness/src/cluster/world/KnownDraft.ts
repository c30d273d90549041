import type { AccountId } from "@postern/core/shared";

/** A draft as a client knows it. */
export interface KnownDraft {
  readonly account: AccountId;
  readonly number: number;
  readonly id: string;
  version: string;
  /** Counts the subjects that were given to it. */
  subjects: number;
}
