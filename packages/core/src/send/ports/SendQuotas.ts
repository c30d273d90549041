import { Context, type Effect, type Result } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { SendQuota } from "../send-quota.ts";

/** The store of each account's sending quota, shared by all processes (spec 6). */
export class SendQuotas extends Context.Service<
  SendQuotas,
  {
    /** Changes a quota, locked between reading and writing; unchanged on failure. Returns the new quota. */
    readonly modify: <E>(
      account: AccountId,
      change: (quota: SendQuota) => Result.Result<SendQuota, E>,
    ) => Effect.Effect<SendQuota, E | StoreUnavailable>;
    /** Erases the quota of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/SendQuotas") {}
