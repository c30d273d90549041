import type { AccountId } from "@postern/core/shared";
import { AccountErasures } from "@postern/core/auth";
import { Effect, HashSet, Layer } from "effect";
import { Memory } from "../Memory.ts";

/** Erasures, kept in memory. */
export const layer = Layer.effect(
  AccountErasures,
  Effect.gen(function* () {
    const accounts = yield* (yield* Memory).cell(HashSet.empty<AccountId>());
    return AccountErasures.of({
      begin: (account) => accounts.modify((all) => [undefined, HashSet.add(all, account)]),
      isUnderWay: (account) => Effect.map(accounts.get, HashSet.has(account)),
      list: Effect.map(accounts.get, (all) => [...all]),
      end: (account) => accounts.modify((all) => [undefined, HashSet.remove(all, account)]),
    });
  }),
);
