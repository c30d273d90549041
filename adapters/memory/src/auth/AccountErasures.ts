import type { AccountId } from "@postern/core/shared";
import { AccountErasures } from "@postern/core/auth";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

/** Erasures, kept in memory. */
export const layer = Layer.effect(
  AccountErasures,
  Effect.gen(function* () {
    const accounts = yield* (yield* Memory).cell("account erasures", HashMap.empty<AccountId, true>());
    return AccountErasures.of({
      begin: (account) => accounts.modify((all) => [undefined, HashMap.set(all, account, true)]),
      isUnderWay: (account) => Effect.map(Effect.andThen(accounts.lock([account]), accounts.get), HashMap.has(account)),
      list: Effect.map(accounts.get, (all) => [...HashMap.keys(all)]),
      end: (account) => accounts.modify((all) => [undefined, HashMap.remove(all, account)]),
    });
  }),
);
