import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { FolderRecord } from "../FolderRecord.ts";

/** Remembers which folder bears which id (spec 4). */
export class FolderRecords extends Context.Service<
  FolderRecords,
  {
    readonly load: (account: AccountId) => Effect.Effect<ReadonlyArray<FolderRecord>, StoreUnavailable>;
    /**
     * Puts these records, by id, in the place of all the account had. False, and nothing done, where that is no longer
     * `known` (by `sameFolders`).
     */
    readonly replace: (
      account: AccountId,
      records: ReadonlyArray<FolderRecord>,
      known?: ReadonlyArray<FolderRecord>,
    ) => Effect.Effect<boolean, StoreUnavailable>;
    /** Forgets the account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/folders/ports/FolderRecords") {}
