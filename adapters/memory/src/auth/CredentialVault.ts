import { type AccountId, Transaction } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault, type FoundCredential } from "@postern/core/auth";
import type { Grant } from "@postern/core/oauth";
import { Clock, Effect, HashMap, Layer, Option } from "effect";
import { accountRows } from "../store/account-rows.ts";
import { Memory } from "../store/Memory.ts";

/** The credential of an account; `grant` if it is an OAuth2 grant. */
interface Kept {
  readonly credential: FoundCredential;
  readonly grant: Grant | null;
  /** Whether the rejection of the credential was announced. */
  readonly told: boolean;
}

/**
 * The credentials of all accounts, shared by the vault and the grants, and a function that stores a credential with a
 * new version.
 */
export const keptCredentials = Effect.gen(function* () {
  const { cell } = yield* Memory;
  const kept = yield* cell("credentials", HashMap.empty<AccountId, Kept>());
  const keep = Effect.fnUntraced(function* (account: AccountId, next: (version: number) => Kept) {
    const now = yield* Clock.currentTimeMillis;
    yield* kept.modify((all) => {
      const version = Option.match(HashMap.get(all, account), {
        onNone: () => now,
        onSome: ({ credential }) => credential.version + 1,
      });
      return [undefined, HashMap.set(all, account, next(version))];
    });
  });
  return { kept, keep };
});

const isUnannounced = ({ credential, told }: Kept): boolean => credential.rejectedAt !== null && !told;

/** Credentials, kept in memory only. */
export const layer = Layer.effect(
  CredentialVault,
  Effect.gen(function* () {
    const { kept, keep } = yield* keptCredentials;
    const accounts = yield* accountRows;
    const transaction = yield* Transaction;

    const reveal = (account: AccountId) =>
      Effect.flatMap(kept.get, (all) => {
        const found = HashMap.get(all, account);
        if (Option.isNone(found) || found.value.credential.rejectedAt !== null)
          return Effect.fail(new MailboxCredentialsRejected());
        const { rejectedAt: _, ...credential } = found.value.credential;
        return Effect.succeed(credential);
      });

    /** Changes this version of a credential; returns whether it changed. */
    const changed = (account: AccountId, version: number, change: (some: Kept) => Kept) =>
      kept.modify((all) => {
        const some = Option.getOrUndefined(HashMap.get(all, account));
        if (some?.credential.version !== version) return [false, all];
        const after = change(some);
        return [after !== some, HashMap.set(all, account, after)];
      });

    return CredentialVault.of({
      keep: (account, { username, password }) =>
        keep(account, (version) => ({
          credential: { _tag: "Password", username, password, version, rejectedAt: null },
          grant: null,
          told: false,
        })),
      reveal,
      version: (account) => Effect.map(reveal(account), ({ version }) => version),
      hold: (account) => Effect.andThen(kept.lock([account]), Effect.asVoid(reveal(account))),
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
        changed(account, version, (some) =>
          some.credential.rejectedAt === null
            ? some
            : { ...some, credential: { ...some.credential, rejectedAt: null }, told: false },
        ),
      takeRejection: (account) =>
        kept.modify((all) => {
          if (!Option.exists(HashMap.get(all, account), isUnannounced)) return [false, all];
          return [true, HashMap.modify(all, account, (some) => ({ ...some, told: true }))];
        }),
      listUnannounced: (limit) =>
        Effect.map(kept.get, (all) =>
          [...HashMap.entries(all)]
            .flatMap(([account, some]) => (isUnannounced(some) ? [account] : []))
            .toSorted()
            .slice(0, limit),
        ),
      listUnmanaged: Effect.fnUntraced(function* (after, limit) {
        const known = yield* accounts.get;
        return [...HashMap.keys(yield* kept.get)]
          .filter((account) => !Option.exists(HashMap.get(known, account), ({ managed }) => managed))
          .filter((account) => after === null || account > after)
          .toSorted()
          .slice(0, limit);
      }),
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
