import { type AccountId, Transaction } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault, type KeptCredential } from "@postern/core/auth";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../Memory.ts";

/** Credentials, kept in memory only. */
export const layer = Layer.effect(
  CredentialVault,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const transaction = yield* Transaction;
    const kept = yield* cell(
      HashMap.empty<AccountId, KeptCredential & { readonly rejected: boolean; readonly told: boolean }>(),
    );
    const versions = yield* cell(0);

    const reveal = Effect.fnUntraced(function* (account: AccountId) {
      const credential = HashMap.get(yield* kept.get, account);
      if (Option.isNone(credential) || credential.value.rejected) return yield* new MailboxCredentialsRejected();
      const { username, password, version } = credential.value;
      return { username, password, version };
    });

    return CredentialVault.of({
      keep: Effect.fnUntraced(function* (account, { username, password }) {
        const version = yield* versions.modify((last) => [last + 1, last + 1]);
        yield* kept.modify((all) => [
          undefined,
          HashMap.set(all, account, { username, password, version, rejected: false, told: false }),
        ]);
      }),
      reveal,
      version: (account) => Effect.map(reveal(account), ({ version }) => version),
      markRejected: (account, version) =>
        kept.modify((all) => [
          undefined,
          HashMap.modify(all, account, (credential) => ({
            ...credential,
            rejected: credential.rejected || credential.version === version,
          })),
        ]),
      takeRejection: (account) =>
        kept.modify((all) => {
          const credential = HashMap.get(all, account);
          if (!Option.exists(credential, ({ rejected, told }) => rejected && !told)) return [false, all];
          return [true, HashMap.modify(all, account, (credential) => ({ ...credential, told: true }))];
        }),
      eraseUnless: (account, inUse) =>
        transaction.run(
          Effect.flatMap(inUse, (used) =>
            used ? Effect.void : kept.modify((all) => [undefined, HashMap.remove(all, account)]),
          ),
        ),
    });
  }),
);
