import { Context, type Option } from "effect";
import type { AccountId } from "../AccountId.ts";

/** The location of a message; valid only together with its account (spec 5). */
export interface MessageRef {
  readonly folderId: string;
  readonly uidValidity: number;
  readonly uid: number;
}

/**
 * Creates and reads the ids that clients see (spec 4, 5): keyed, stable over restarts and equal on every node with the
 * same key. Synchronous, because a page needs hundreds of them.
 */
export class OpaqueIds extends Context.Service<
  OpaqueIds,
  {
    /**
     * Returns `acc_…`, which reveals nothing about the address; the same account always gives the same id (spec 10.1).
     */
    readonly accountId: (account: AccountId) => string;
    /** Returns the account of such an id; none for any other text. */
    readonly account: (id: string) => Option.Option<AccountId>;
    /** Returns `f_…` in lower case; the same account and identity always give the same id. */
    readonly folderId: (account: AccountId, identity: string) => string;
    /** Returns one id per UID, in the given order. UIDs and UIDVALIDITY are 32-bit unsigned. */
    readonly messageIds: (
      account: AccountId,
      folderId: string,
      uidValidity: number,
      uids: ReadonlyArray<number>,
    ) => ReadonlyArray<string>;
    /** Returns the location of a message, if the id was made for this account and one of these folders. */
    readonly messageRef: (
      account: AccountId,
      id: string,
      folderIds: ReadonlyArray<string>,
    ) => Option.Option<MessageRef>;
  }
>()("@postern/core/shared/ports/OpaqueIds") {}
