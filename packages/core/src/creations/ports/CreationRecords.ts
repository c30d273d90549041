import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { CreationRecord } from "../CreationRecord.ts";

/** The store of idempotency keys and the ids of the resources created with them (spec 2.6). */
export class CreationRecords extends Context.Service<
  CreationRecords,
  {
    readonly find: (caller: string, key: string) => Effect.Effect<Option.Option<CreationRecord>, StoreUnavailable>;
    /** Inserts a record; replaces one that was created at or before `expired`. False if another record has the key. */
    readonly take: (record: CreationRecord, expired: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Replaces the record whose lease has this token; false if no record does. */
    readonly replace: (record: CreationRecord, token: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes up to `limit` records created at or before `before` (epoch ms) and returns their number. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
    /** Erases the records of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/creations/ports/CreationRecords") {}
