import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { SendAnswer } from "../send-answer.ts";

/** An `Idempotency-Key` that was used for a message (spec 6). Times in epoch milliseconds. */
export interface IdempotencyRecord {
  readonly account: AccountId;
  readonly key: string;
  /** SHA-256 of the first request with this key. */
  readonly bodyHash: string;
  readonly outgoingId: string;
  readonly createdAt: number;
  /** The response to the first request; null until it is known. */
  readonly answer: SendAnswer | null;
}

/** The store of idempotency keys and their messages (spec 6). */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    readonly find: (
      account: AccountId,
      key: string,
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, StoreUnavailable>;
    /** Records a key in the transaction of its message; false if a record made after `expired` has this key. */
    readonly take: (record: IdempotencyRecord, expired: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records the response for this message; the first recorded response stays. */
    readonly answer: (outgoingId: string, answer: SendAnswer) => Effect.Effect<void, StoreUnavailable>;
    /** Deletes up to `limit` keys used at or before `before` (epoch ms) and returns their number. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
    /** Erases all records of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/IdempotencyKeys") {}
