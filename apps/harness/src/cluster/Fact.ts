import type { AccountId } from "@postern/core/shared";

/** Something that the acting world did or was told, for the invariants. Times are true times. */
export type Fact =
  /** A request to send was answered with this id. */
  | { readonly _tag: "SendAccepted"; readonly account: AccountId; readonly subject: string; readonly id: string }
  /** A message arrived in INBOX, or left it by another client. */
  | { readonly _tag: "MailArrived"; readonly account: AccountId; readonly messageId: string; readonly at: number }
  | { readonly _tag: "MailTaken"; readonly account: AccountId; readonly messageId: string; readonly at: number };
