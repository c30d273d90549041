import type { AccountId } from "../../shared/index.ts";

/** A person whom an account wrote to (spec 12.5). Times are epoch milliseconds. */
export interface Contact {
  readonly id: string;
  readonly account: AccountId;
  /** The name in the newest message that has one. */
  readonly name: string;
  readonly address: string;
  readonly lastWrittenAt: number;
  /** Null unless the user deleted the contact and has not written to it since. */
  readonly forgottenAt: number | null;
}

/** Which messages of Sent are read: those with a UID from `from` up to, but not including, `below`. */
export interface SentScan {
  readonly uidValidity: number;
  readonly from: number;
  readonly below: number;
}
