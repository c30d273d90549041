import { type SendQuota, SendQuotas, UNUSED_QUOTA } from "@postern/core/send";
import { Effect, HashMap, Layer, Option, Result } from "effect";
import { Memory } from "../store/Memory.ts";

/** Quotas, kept in memory. */
export const layer = Layer.effect(
  SendQuotas,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const quotas = yield* cell("send quotas", HashMap.empty<string, SendQuota>());

    return SendQuotas.of({
      modify: (account, change) =>
        Effect.flatMap(
          Effect.andThen(
            quotas.lock([account]),
            quotas.modify((all) => {
              const after = change(Option.getOrElse(HashMap.get(all, account), () => UNUSED_QUOTA));
              return [after, Result.isSuccess(after) ? HashMap.set(all, account, after.success) : all];
            }),
          ),
          Effect.fromResult,
        ),
      erase: (account) => quotas.modify((all) => [undefined, HashMap.remove(all, account)]),
    });
  }),
);
