import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Upload } from "../Upload.ts";

/**
 * Which files accounts have uploaded, and which messages hold on to them (spec 6). A record is there before the
 * first byte of its file and goes after the last one, so that no bytes are ever without it.
 */
export class UploadRecords extends Context.Service<
  UploadRecords,
  {
    /** Records a file that is coming in; it cannot be found yet. */
    readonly begin: (upload: Omit<Upload, "size">) => Effect.Effect<void, StoreUnavailable>;
    /** From now on it is found; false where it was retired meanwhile. */
    readonly complete: (id: string, size: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** The upload of this id, where it is this account's. */
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<Upload>, StoreUnavailable>;
    /** Keeps uploads for a message, in the transaction that journals it; false where one of them is not there any more. */
    readonly pin: (
      account: AccountId,
      ids: ReadonlyArray<string>,
      outgoingId: string,
    ) => Effect.Effect<boolean, StoreUnavailable>;
    /** Lets go of whatever a message held. */
    readonly unpin: (outgoingId: string) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Retires what no message holds and was uploaded before `expired`, or began before `abandoned` and never was. It
     * cannot be found any more. Answers with some of all that are retired, whose bytes and records are to be removed.
     */
    readonly retire: (
      expired: number,
      abandoned: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Retires everything of an account, held or not. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes records whose bytes are gone. */
    readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/UploadRecords") {}
