import type { AccountId } from "../../shared/index.ts";

/** A person to whom an account wrote (spec 12.5). Times are epoch milliseconds. */
export interface Contact {
  readonly id: string;
  readonly account: AccountId;
  /** The name in the newest message that has one. */
  readonly name: string;
  readonly address: string;
  readonly lastWrittenAt: number;
  /** When the user deleted the contact; null if the user did not, or wrote to the contact since. */
  readonly forgottenAt: number | null;
}

/** The messages of Sent that are already read: UIDs from `from` up to, but not including, `below`. */
export interface SentScan {
  readonly uidValidity: number;
  readonly from: number;
  readonly below: number;
}
