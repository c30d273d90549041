import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { FolderRecord } from "../FolderRecord.ts";

/** The store of folder records, from which folders get their ids (spec 4). */
export class FolderRecords extends Context.Service<
  FolderRecords,
  {
    readonly load: (account: AccountId) => Effect.Effect<ReadonlyArray<FolderRecord>, StoreUnavailable>;
    /** Replaces all records of the account. Returns false without a change if the stored records no longer equal `known` (by `sameFolders`). */
    readonly replace: (
      account: AccountId,
      records: ReadonlyArray<FolderRecord>,
      known?: ReadonlyArray<FolderRecord>,
    ) => Effect.Effect<boolean, StoreUnavailable>;
    /** Erases all records of the account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/folders/ports/FolderRecords") {}
