import { Context, Effect, Layer } from "effect";
import { type AccountId, AllAccountData, type StoreUnavailable } from "../shared/index.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";

/** Erases mail credentials that nothing needs any more (spec 3.7). */
export class CredentialRelease extends Context.Service<
  CredentialRelease,
  {
    /** Erases the credential of an account unless a domain still needs it; to be called after a need ended. */
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
        // Every end of a need calls this after it, so a need that is seen here is not locked.
        release: (account) =>
          Effect.flatMap(isNeeded(account), (needed) =>
            needed ? Effect.void : vault.eraseUnless(account, isNeeded(account)),
          ),
      });
    }),
  );
}
