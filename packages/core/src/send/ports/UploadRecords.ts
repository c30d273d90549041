import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Upload } from "../uploads/Upload.ts";

/** An upload, and whether a message or a draft pins it. */
export interface FoundUpload extends Upload {
  readonly isPinned: boolean;
}

/**
 * The records of uploads and of the messages and drafts that pin them (spec 6). A record is written before the first
 * byte of its file and removed after the last, so that every stored byte has a record.
 */
export class UploadRecords extends Context.Service<
  UploadRecords,
  {
    /** Records a file that is being received. `find` does not return it yet. */
    readonly begin: (upload: Omit<Upload, "size">) => Effect.Effect<void, StoreUnavailable>;
    /** Completes an upload, so that `find` returns it; false if the upload was retired meanwhile. */
    readonly complete: (id: string, size: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Finds a completed upload of this account. */
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<FoundUpload>, StoreUnavailable>;
    /** Pins uploads for an outgoing message or a draft, in the transaction that stores it; false if one of them is gone. */
    readonly pin: (
      account: AccountId,
      ids: ReadonlyArray<string>,
      holder: string,
    ) => Effect.Effect<boolean, StoreUnavailable>;
    /** Releases all uploads that a message or a draft pins. */
    readonly unpin: (holders: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Retires complete, unpinned uploads created before `expired`, and incomplete uploads created before `abandoned`,
     * so that `find` no longer returns them. Returns up to `limit` retired uploads, whose bytes and records the caller
     * removes.
     */
    readonly retire: (
      expired: number,
      abandoned: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Retires all uploads of an account, pinned or not. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes the records of uploads whose bytes are removed. */
    readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/UploadRecords") {}
