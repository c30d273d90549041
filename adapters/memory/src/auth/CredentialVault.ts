import { type AccountId, Transaction } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault, type FoundCredential } from "@postern/core/auth";
import { Clock, Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../Memory.ts";

interface Kept extends FoundCredential {
  readonly told: boolean;
}

/** Credentials, kept in memory only. */
export const layer = Layer.effect(
  CredentialVault,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const transaction = yield* Transaction;
    const kept = yield* cell("credentials", HashMap.empty<AccountId, Kept>());

    const reveal = Effect.fnUntraced(function* (account: AccountId) {
      const credential = HashMap.get(yield* kept.get, account);
      if (Option.isNone(credential) || credential.value.rejectedAt !== null)
        return yield* new MailboxCredentialsRejected();
      const { rejectedAt: _, told: __, ...current } = credential.value;
      return current;
    });

    const changed = (account: AccountId, version: number, change: (credential: Kept) => Kept) =>
      kept.modify((all) => [
        undefined,
        HashMap.modify(all, account, (credential) =>
          credential.version === version ? change(credential) : credential,
        ),
      ]);

    return CredentialVault.of({
      keep: Effect.fnUntraced(function* (account, credential) {
        const now = yield* Clock.currentTimeMillis;
        yield* kept.modify((all) => {
          const version = Option.match(HashMap.get(all, account), {
            onNone: () => now,
            onSome: (one) => one.version + 1,
          });
          return [undefined, HashMap.set(all, account, { ...credential, version, rejectedAt: null, told: false })];
        });
      }),
      reveal,
      version: (account) => Effect.map(reveal(account), ({ version }) => version),
      find: (account) => Effect.map(kept.get, (all) => HashMap.get(all, account)),
      markRejected: Effect.fnUntraced(function* (account, version) {
        const now = yield* Clock.currentTimeMillis;
        yield* changed(account, version, (credential) => ({
          ...credential,
          rejectedAt: credential.rejectedAt ?? now,
        }));
      }),
      markAccepted: (account, version) =>
        changed(account, version, (credential) => ({ ...credential, rejectedAt: null, told: false })),
      takeRejection: (account) =>
        kept.modify((all) => {
          const credential = HashMap.get(all, account);
          if (!Option.exists(credential, ({ rejectedAt, told }) => rejectedAt !== null && !told)) return [false, all];
          return [true, HashMap.modify(all, account, (credential) => ({ ...credential, told: true }))];
        }),
      eraseUnless: (account, inUse) =>
        transaction.run(
          Effect.flatMap(Effect.andThen(kept.lock([account]), inUse), (used) =>
            used ? Effect.void : kept.modify((all) => [undefined, HashMap.remove(all, account)]),
          ),
        ),
    });
  }),
);
