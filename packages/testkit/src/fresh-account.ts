import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

/** An account key no other test has used, so that suites may share a store that lasts. */
export const freshAccount: Effect.Effect<AccountId> = Effect.sync(() =>
  AccountId(`contract-${globalThis.crypto.randomUUID()}@postern.test`),
);
