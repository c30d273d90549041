import { Context, Effect, Layer } from "effect";
import { type AccountData, type AccountId, AllAccountData, type StoreUnavailable } from "../shared/index.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";

const MOST_REMEMBERED = 1_000;

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

      /** The domain that needed the credential of an account last. It likely needs it still, so it is asked first. */
      const neededBy = new Map<AccountId, AccountData>();

      const isNeeded = Effect.fnUntraced(function* (account: AccountId) {
        const last = neededBy.get(account);
        for (const data of last === undefined ? all : [last, ...all.filter((other) => other !== last)]) {
          if (data.needsCredential === undefined || !(yield* data.needsCredential(account))) continue;
          if (neededBy.size >= MOST_REMEMBERED) neededBy.clear();
          neededBy.set(account, data);
          return true;
        }
        neededBy.delete(account);
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
