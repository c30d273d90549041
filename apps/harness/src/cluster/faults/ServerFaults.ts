import type { MailServerError } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import type { Mailbox } from "@postern/memory";
import type { PortCall } from "./PortCall.ts";

/** The reasons for which changes of the mailboxes of an account fail: the mail server refuses them, or cannot serve them at present. */
export type Refusal = MailServerError["reason"];

/** Faults of servers, which affect all nodes. */
export class ServerFaults {
  isStoreAway = false;
  /** Accounts whose mail server no node can reach. */
  readonly unreachable = new Set<string>();
  /** The refusals of the mail server by account. */
  readonly refusals = new Map<string, Refusal>();
  /** How long the answer to a call takes, in milliseconds; null if servers answer at once. */
  lateness: ((call: PortCall) => number) | null = null;
  /** Accounts whose server stops announcing changes of folders at the next one, until the node connects again. */
  readonly overflows = new Set<string>();
  /** Called when a node polls a mailbox of a server with QRESYNC, after it got the arrivals and before it gets other changes. */
  onArrivalsRead: (account: AccountId, mailbox: Mailbox) => void = () => {};

  clear(): void {
    this.isStoreAway = false;
    this.refusals.clear();
    this.lateness = null;
  }
}
