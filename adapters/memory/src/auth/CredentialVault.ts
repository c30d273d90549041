import { type AccountId, Transaction } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import { Clock, Effect, HashMap, Layer, Option } from "effect";
import { type Kept, KeptCredentials } from "./KeptCredentials.ts";

const isUnannounced = ({ credential, told }: Kept): boolean => credential.rejectedAt !== null && !told;

/** Credentials, kept in memory only. */
export const layer = Layer.effect(
  CredentialVault,
  Effect.gen(function* () {
    const { all: kept, keep } = yield* KeptCredentials;
    const transaction = yield* Transaction;

    const reveal = Effect.fnUntraced(function* (account: AccountId) {
      const found = HashMap.get(yield* kept.get, account);
      if (Option.isNone(found) || found.value.credential.rejectedAt !== null)
        return yield* new MailboxCredentialsRejected();
      const { rejectedAt: _, ...credential } = found.value.credential;
      return credential;
    });

    const changed = (account: AccountId, version: number, change: (some: Kept) => Kept) =>
      kept.modify((all) => [
        undefined,
        HashMap.modify(all, account, (some) => (some.credential.version === version ? change(some) : some)),
      ]);

    return CredentialVault.of({
      keep: (account, { username, password }) =>
        keep(account, (version) => ({
          credential: { _tag: "Password", username, password, version, rejectedAt: null },
          grant: null,
          told: false,
        })),
      reveal,
      version: (account) => Effect.map(reveal(account), ({ version }) => version),
      find: (account) =>
        Effect.map(kept.get, (all) => Option.map(HashMap.get(all, account), ({ credential }) => credential)),
      markRejected: Effect.fnUntraced(function* (account, version) {
        const now = yield* Clock.currentTimeMillis;
        yield* changed(account, version, ({ credential, ...some }) => ({
          ...some,
          credential: { ...credential, rejectedAt: credential.rejectedAt ?? now },
        }));
      }),
      markAccepted: (account, version) =>
        changed(account, version, (some) => ({
          ...some,
          credential: { ...some.credential, rejectedAt: null },
          told: false,
        })),
      takeRejection: (account) =>
        kept.modify((all) => {
          if (!Option.exists(HashMap.get(all, account), isUnannounced)) return [false, all];
          return [true, HashMap.modify(all, account, (some) => ({ ...some, told: true }))];
        }),
      unannounced: (limit) =>
        Effect.map(kept.get, (all) =>
          [...HashMap.entries(all)]
            .flatMap(([account, some]) => (isUnannounced(some) ? [account] : []))
            .toSorted()
            .slice(0, limit),
        ),
      eraseUnless: (account, inUse) =>
        transaction.run(
          Effect.flatMap(Effect.andThen(kept.lock([account]), inUse), (used) =>
            used
              ? Effect.succeed(false)
              : kept.modify((all) => [HashMap.has(all, account), HashMap.remove(all, account)]),
          ),
        ),
    });
  }),
);
