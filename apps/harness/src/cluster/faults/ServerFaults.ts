import type { MailServerError } from "@postern/core/mail";

/** The reasons for which a mail server refuses to change the mailboxes of an account. */
export type Refusal = Extract<MailServerError["reason"], "not_permitted" | "over_quota">;

/** Faults of servers, which affect all nodes. */
export class ServerFaults {
  isStoreAway = false;
  /** Accounts whose mail server no node can reach. */
  readonly unreachable = new Set<string>();
  /** The refusals of the mail server by account. */
  readonly refusals = new Map<string, Refusal>();

  clear(): void {
    this.isStoreAway = false;
    this.refusals.clear();
  }
}
