import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

/** Returns an account id that no other test uses, so that suites can share a persistent store. */
export const freshAccount: Effect.Effect<AccountId> = Effect.sync(() =>
  AccountId(`contract-${globalThis.crypto.randomUUID()}@postern.test`),
);
