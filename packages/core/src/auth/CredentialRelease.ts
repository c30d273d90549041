import { Context, Effect, Layer } from "effect";
import { type AccountId, AllAccountData, type StoreUnavailable } from "../shared/index.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";

/** Erases mail credentials that are no longer needed (spec 3.7). */
export class CredentialRelease extends Context.Service<
  CredentialRelease,
  {
    /** Erases the credential of an account unless a domain still needs it. Callers call it after a need ends. */
    readonly release: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/CredentialRelease") {
  static readonly layer = Layer.effect(
    CredentialRelease,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      const all = yield* AllAccountData;

      const isNeeded = Effect.fnUntraced(function* (account: AccountId) {
        for (const { needsCredential } of all) {
          if (needsCredential !== undefined && (yield* needsCredential(account))) return true;
        }
        return false;
      });

      return CredentialRelease.of({
        // This first check needs no lock: a need found here calls `release` again when it ends.
        release: (account) =>
          Effect.flatMap(isNeeded(account), (needed) =>
            needed ? Effect.void : vault.eraseUnless(account, isNeeded(account)),
          ),
      });
    }),
  );
}
