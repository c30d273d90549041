import { Effect } from "effect";
import { inSlices, type AccountId } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { CredentialRelease } from "./CredentialRelease.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";

/**
 * Releases each credential that a sign-in stored. A domain releases a credential when it no longer needs it, but its
 * process may end before, or two domains may end their need at once and each see the need of the other.
 */
export const sweepCredentials = Effect.gen(function* () {
  const vault = yield* CredentialVault;
  const { release } = yield* CredentialRelease;

  return Effect.suspend(() => {
    let last: AccountId | null = null;
    const slice = Effect.gen(function* () {
      const accounts: ReadonlyArray<AccountId> = yield* vault.listUnmanaged(last, ROWS_AT_ONCE);
      for (const account of accounts) yield* release(account);
      last = accounts.at(-1) ?? null;
      return accounts.length === ROWS_AT_ONCE;
    });
    return inSlices(slice);
  }).pipe(Effect.withSpan("sweepCredentials"));
});
