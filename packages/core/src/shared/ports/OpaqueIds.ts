import { Context, type Option } from "effect";
import type { AccountId } from "../AccountId.ts";
import type { IdScope } from "../IdScopes.ts";
import type { FolderId, MailboxKey } from "../MailboxKey.ts";

/** The location of a message; valid only together with its account (spec 5). */
export interface MessageRef {
  readonly folderId: MailboxKey;
  readonly uidValidity: number;
  readonly uid: number;
}

/**
 * Creates and reads the ids that clients see (spec 4, 5). The ids depend on a key. They are stable over restarts, and
 * equal on every node with the same key. The functions are synchronous, because a page needs hundreds of ids.
 */
export class OpaqueIds extends Context.Service<
  OpaqueIds,
  {
    /** Returns the id `acc_…` of an account. It reveals nothing about the address, and is always the same for an account (spec 10.1). */
    readonly accountId: (account: AccountId) => string;
    /** Returns the account of an account id; none for any other text. */
    readonly account: (id: string) => Option.Option<AccountId>;
    /** Returns the id `f_…` of a folder in lower case; always the same for an account and identity. */
    readonly folderId: (account: AccountId, identity: string) => FolderId;
    /** Returns one id per UID, in the given order. UIDs and UIDVALIDITY are 32-bit unsigned. */
    readonly messageIds: (
      scope: IdScope,
      mailbox: MailboxKey,
      uidValidity: number,
      uids: ReadonlyArray<number>,
    ) => ReadonlyArray<string>;
    /** Returns the location of a message if the id was made for this scope and one of these mailboxes. */
    readonly messageRef: (
      scope: IdScope,
      id: string,
      mailboxes: ReadonlyArray<MailboxKey>,
    ) => Option.Option<MessageRef>;
  }
>()("@postern/core/shared/ports/OpaqueIds") {}
