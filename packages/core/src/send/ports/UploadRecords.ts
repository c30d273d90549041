import { Context, type Effect, type Option } from "effect";
import type { AccountId } from "../../shared/AccountId.ts";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";
import type { Upload } from "../Upload.ts";

/** Which files accounts have uploaded, and which messages hold on to them (decisions 6). */
export class UploadRecords extends Context.Service<
  UploadRecords,
  {
    readonly insert: (upload: Upload) => Effect.Effect<void, StoreUnavailable>;
    /** The upload of this id, where it is this account's. */
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<Upload>, StoreUnavailable>;
    /** Keeps uploads for a message; inside the transaction that journals it. */
    readonly pin: (
      account: AccountId,
      ids: ReadonlyArray<string>,
      messageId: string,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Lets go of whatever a message held. */
    readonly unpin: (messageId: string) => Effect.Effect<void, StoreUnavailable>;
    /** Takes records that no message holds and that are older than this (epoch ms) away; answers with their ids. */
    readonly takeExpired: (before: number, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
  }
>()("@postern/core/send/UploadRecords") {}
