import { Clock, Context, Effect, Layer } from "effect";
import { EventPublisher } from "../events/index.ts";
import { type AccountData, AllAccountData } from "../shared/neighbours.ts";
import { type AccountId, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";

const MAX_REMEMBERED = 1_000;

const SIGNED_OUT = {
  code: "signed_out",
  message:
    "The last session of the account ended, by signing out or unused for 30 days, and nothing else needs its password or " +
    "token, which was erased. Sign in again, or add the account.",
};

/** Erases mail credentials that are no longer needed (spec 3.7). */
export class CredentialRelease extends Context.Service<
  CredentialRelease,
  {
    /**
     * Erases the credential of an account unless a domain still needs it; then publishes `account.auth_failed`. A
     * domain calls this function when the domain no longer needs the credential.
     */
    readonly release: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/CredentialRelease") {
  static readonly layer = Layer.effect(
    CredentialRelease,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      const all = yield* AllAccountData;
      const publisher = yield* EventPublisher;
      const transaction = yield* Transaction;
      const fingerprints = yield* Fingerprints;

      /**
       * The domain that last needed the credential of each account. This domain is asked first, because it probably
       * still needs the credential.
       */
      const neededBy = new Map<AccountId, AccountData>();

      const isNeeded = Effect.fnUntraced(function* (account: AccountId) {
        const now = yield* Clock.currentTimeMillis;
        const last = neededBy.get(account);
        for (const data of last === undefined ? all : [last, ...all.filter((other) => other !== last)]) {
          if (data.needsCredential === undefined || !(yield* data.needsCredential(account, now))) continue;
          if (neededBy.size >= MAX_REMEMBERED) neededBy.clear();
          neededBy.set(account, data);
          return true;
        }
        neededBy.delete(account);
        return false;
      });

      const erase = Effect.fnUntraced(function* (account: AccountId) {
        if (!(yield* vault.eraseUnless(account, isNeeded(account)))) return;
        yield* publisher.publishNow(account, "account.auth_failed", { email: account, reason: SIGNED_OUT });
        yield* Effect.logInfo("stored credential erased: the last session ended", {
          account: fingerprints.ofAccount(account),
        });
      }, transaction.run);

      return CredentialRelease.of({
        // This first check needs no lock: a domain that still needs the credential calls `release` again later.
        release: (account) => Effect.flatMap(isNeeded(account), (needed) => (needed ? Effect.void : erase(account))),
      });
    }),
  );
}
