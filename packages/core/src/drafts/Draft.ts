import type { Address } from "../mail/index.ts";
import type { MessageContents } from "../send/neighbours.ts";
import type { OutgoingAttachment } from "../send/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The contents of a draft: the fields of a message to send. Any field may be missing. */
export interface DraftContents extends MessageContents {
  /** The id of an identity or an address; null for the default identity. */
  readonly from: string | Address | null;
  /** The recipients. An entry that is not an address yet has its text in place of the address. */
  readonly to: ReadonlyArray<Address>;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
  readonly trackOpens: boolean;
  /** When to send the message, in epoch milliseconds; null to send it at once. */
  readonly sendAt: number | null;
  /** How long the message may wait to be sent, in the notation of settings; absent for as long as the service allows. */
  readonly expiresAfter?: string;
  /** The id of the message that the draft answers. That message is marked as answered once the draft is sent. */
  readonly replyToMessageId: string | null;
  /** Whether the draft may answer a message that a program wrote; absent means false. */
  readonly force?: boolean;
}

/** A copy of a draft in the Drafts folder. */
export interface CopyPlace {
  readonly path: string;
  readonly uidValidity: number;
  readonly uid: number;
}

/** A save that may have stored a copy. If another client changes this copy, the copy has the same token but other bytes. */
export interface PendingSave {
  readonly token: string;
  /** SHA-256 of the message that the save stores. */
  readonly checksum: string;
}

/** The reason why a draft was not sent and can be edited again. */
export interface DraftReason {
  readonly reason: string;
  readonly detail: string;
}

/** A stored draft (spec 12.1). The current copy in the Drafts folder has the same contents. Times in epoch milliseconds. */
export interface Draft {
  readonly id: string;
  readonly account: AccountId;
  /** The number of changes of the contents. */
  readonly version: number;
  /** A draft in the state `sent` is not listed. It is kept so that a repeated request to send gets the first answer. */
  readonly state: "draft" | "sending" | "sent";
  readonly reason: DraftReason | null;
  readonly savedAt: number;
  readonly contents: DraftContents;
  /** The current copy; null before the first one is stored, and after the last one is removed. */
  readonly copy: CopyPlace | null;
  /** The token of the save that stored the current copy; empty if another client stored it. */
  readonly token: string;
  /** Uncompleted saves that may have stored a copy. Each such copy is superseded. */
  readonly pending: ReadonlyArray<PendingSave>;
  /** The UIDs of superseded copies, in the mailbox of the current copy. */
  readonly stale: ReadonlyArray<number>;
  /** The latest outgoing message of this draft. */
  readonly outgoing: { readonly id: string; readonly version: number; readonly mayBeSent: boolean } | null;
  /** The UIDs, in the same mailbox, of copies that became separate drafts, because another client changed an older version. */
  readonly detached: ReadonlyArray<number>;
  /** When to check the outgoing message, or to remove the copies of a sent draft; null if there is nothing to do. */
  readonly checkAt: number | null;
  /** The number of failed removals of the copies. */
  readonly step: number;
}
