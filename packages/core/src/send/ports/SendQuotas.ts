import { Context, type Effect, type Result } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { SendQuota } from "../send-quota.ts";

/** What each account has sent, shared by all processes (spec 6). */
export class SendQuotas extends Context.Service<
  SendQuotas,
  {
    /** Changes a quota, locked between reading and writing; on a failure it stays. Answers with the new one. */
    readonly modify: <E>(
      account: AccountId,
      change: (quota: SendQuota) => Result.Result<SendQuota, E>,
    ) => Effect.Effect<SendQuota, E | StoreUnavailable>;
    /** Forgets everything of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/SendQuotas") {}
