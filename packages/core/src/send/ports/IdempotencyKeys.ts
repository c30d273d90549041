import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { IdempotencyRecord } from "../idempotency.ts";
import type { SendAnswer } from "../send-answer.ts";

/** Which keys were used for which messages (spec 6). */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    readonly find: (
      account: AccountId,
      key: string,
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, StoreUnavailable>;
    /** Takes a key, in the transaction of its message; false where it is taken by a record made after `expired`. */
    readonly take: (record: IdempotencyRecord, expired: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Records what the request for this message was answered with; the first answer stands. */
    readonly answer: (outgoingId: string, answer: SendAnswer) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets some of the keys used at or before a time (epoch ms) and returns how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
    /** Forgets everything of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/IdempotencyKeys") {}
