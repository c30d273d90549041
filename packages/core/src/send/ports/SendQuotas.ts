import { Context, type Effect, type Result } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { SendQuota } from "../send-quota.ts";

/** The store of the sending quotas of accounts and of service keys, shared by all processes (spec 6, 10.2). */
export class SendQuotas extends Context.Service<
  SendQuotas,
  {
    /**
     * Changes the quota of an account, or of a key by its id, under a lock; if the change fails, the quota stays.
     * Returns the new quota.
     */
    readonly modify: <E>(
      holder: string,
      change: (quota: SendQuota) => Result.Result<SendQuota, E>,
    ) => Effect.Effect<SendQuota, E | StoreUnavailable>;
    /** Erases the quota of an account or a key. */
    readonly erase: (holder: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/SendQuotas") {}
