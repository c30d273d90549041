import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { IdentityRecord } from "../identities/Identity.ts";

/** The store of identities (spec 12.2). */
export class IdentityRecords extends Context.Service<
  IdentityRecords,
  {
    /** Returns the identities of an account, oldest first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<IdentityRecord>, StoreUnavailable>;
    /** Inserts an identity; false if the account already has an identity with this address, in any spelling. */
    readonly insert: (record: IdentityRecord) => Effect.Effect<boolean, StoreUnavailable>;
    /** Replaces an identity; its address cannot change. */
    readonly update: (record: IdentityRecord) => Effect.Effect<void, StoreUnavailable>;
    /** Deletes an identity; false if the account has no such identity. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Finds the identity that a link verifies, by the hash of its token. */
    readonly ofVerification: (hash: string) => Effect.Effect<Option.Option<IdentityRecord>, StoreUnavailable>;
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/IdentityRecords") {}
