import type { Address } from "../mail/index.ts";
import type { DraftReason } from "./Draft.ts";

/** A draft in a listing. */
export interface DraftEntry {
  readonly id: string;
  readonly version: number;
  readonly state: "draft" | "sending";
  readonly reason: DraftReason | null;
  /** Epoch milliseconds. */
  readonly savedAt: number;
  readonly to: ReadonlyArray<Address>;
  readonly cc: ReadonlyArray<Address>;
  readonly subject: string;
  readonly hasAttachments: boolean;
}
