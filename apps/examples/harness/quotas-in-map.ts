import { SendQuotas, type SendQuota, UNUSED_QUOTA } from "@postern/core/send";
import { Effect, Layer, Result } from "effect";

/**
 * Stores of sending quotas in a plain map: one map per seed, shared by all nodes. The map cannot roll back, so a
 * message that was finally refused may count.
 */
export const quotasInMap = () => {
  const quotas = new Map<string, SendQuota>();
  return () =>
    Layer.succeed(SendQuotas, {
      modify: (holder, change) =>
        Effect.suspend(() => {
          const changed = change(quotas.get(holder) ?? UNUSED_QUOTA);
          if (Result.isSuccess(changed)) quotas.set(holder, changed.success);
          return Effect.fromResult(changed);
        }),
      erase: (holder) => Effect.sync(() => void quotas.delete(holder)),
    });
};
