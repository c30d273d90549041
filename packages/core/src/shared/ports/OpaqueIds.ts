import { Context, type Option } from "effect";
import type { AccountId } from "../AccountId.ts";

/** Where a message is: valid only together with its account (spec 5). */
export interface MessageRef {
  readonly folderId: string;
  readonly uidValidity: number;
  readonly uid: number;
}

/**
 * Makes and reads the identifiers clients see (spec 4, 5): keyed, stable over restarts and equal on every
 * node that holds the same key. Synchronous, because a page needs hundreds of them.
 */
export class OpaqueIds extends Context.Service<
  OpaqueIds,
  {
    /** `f_…`, lower case; the same account and identity always give the same id. */
    readonly folderId: (account: AccountId, identity: string) => string;
    /** One id for each UID, in the order given. UIDs and UIDVALIDITY are 32-bit unsigned. */
    readonly messageIds: (
      account: AccountId,
      folderId: string,
      uidValidity: number,
      uids: ReadonlyArray<number>,
    ) => ReadonlyArray<string>;
    /** What an id stands for, if it was made for this account and one of these folders. */
    readonly messageRef: (
      account: AccountId,
      id: string,
      folderIds: ReadonlyArray<string>,
    ) => Option.Option<MessageRef>;
  }
>()("@postern/core/shared/ports/OpaqueIds") {}
