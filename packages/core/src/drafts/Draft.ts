import type { Address } from "../mail/index.ts";
import type { MessageContents } from "../send/neighbours.ts";
import type { OutgoingAttachment } from "../send/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The contents of a draft: the fields of a message to send, of which all may be missing. */
export interface DraftContents extends MessageContents {
  /** The id of an identity or an address; null for the default identity. */
  readonly from: string | Address | null;
  /** An entry that is not an address yet has its text as the address. */
  readonly to: ReadonlyArray<Address>;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
  readonly trackOpens: boolean;
  /** Epoch milliseconds; null: when it is sent. */
  readonly sendAt: number | null;
  /** The id of the message that it answers, which is marked once it is sent. */
  readonly replyToMessageId: string | null;
  /** Whether it may answer a message that a program wrote; absent: it may not. */
  readonly force?: boolean;
}

/** A copy of a draft in the Drafts folder. */
export interface CopyPlace {
  readonly path: string;
  readonly uidValidity: number;
  readonly uid: number;
}

/** A save that may have stored a copy. A copy that another client changed has the same token, but other bytes. */
export interface PendingSave {
  readonly token: string;
  /** SHA-256 of the message that it stores. */
  readonly checksum: string;
}

/** Why a draft was put back instead of being sent. */
export interface DraftReason {
  readonly reason: string;
  readonly detail: string;
}

/**
 * A draft as it is stored (spec 12.1). The current copy in the Drafts folder says the same as `contents`. Times in epoch
 * milliseconds.
 */
export interface Draft {
  readonly id: string;
  readonly account: AccountId;
  /** Counts the changes of the contents. */
  readonly version: number;
  /** `sent`: kept so that a repeated request to send gets the first answer; not shown. */
  readonly state: "draft" | "sending" | "sent";
  readonly reason: DraftReason | null;
  readonly savedAt: number;
  readonly contents: DraftContents;
  /** The current copy; null before the first one is stored, and after the last one is removed. */
  readonly copy: CopyPlace | null;
  /** The save that stored the current copy; empty if another client did. */
  readonly token: string;
  /** Saves that may have stored a copy without being completed: each such copy is superseded. */
  readonly pending: ReadonlyArray<PendingSave>;
  /** Superseded copies, by UID in the mailbox of the current one. */
  readonly stale: ReadonlyArray<number>;
  /** The last outgoing message of this draft. */
  readonly outgoing: { readonly id: string; readonly version: number; readonly mayBeSent: boolean } | null;
  /** Copies that other clients' versions do not contain: drafts of their own, by UID in the same mailbox. */
  readonly detached: ReadonlyArray<number>;
  /** When to check the outgoing message, or to remove the copies of a sent draft; null: never. */
  readonly checkAt: number | null;
  /** Failed removals of the copies. */
  readonly step: number;
}
