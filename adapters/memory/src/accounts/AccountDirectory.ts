import { type Account, AccountDirectory, stateOf } from "@postern/core/accounts";
import { CredentialVault, reaches } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { Effect, HashMap, Layer, Option } from "effect";
import { accountRows } from "../store/account-rows.ts";
import { Memory } from "../store/Memory.ts";

/** Accounts, kept in memory. */
export const layer = Layer.effect(
  AccountDirectory,
  Effect.gen(function* () {
    const { transaction } = yield* Memory;
    const vault = yield* CredentialVault;
    const rows = yield* accountRows;

    /**
     * Returns the account with the fields that its credential sets; none without a credential, unless it is managed.
     */
    const existing = (account: Account) =>
      Effect.map(vault.find(account.id), (credential) => {
        if (Option.isNone(credential) && !account.managed) return Option.none<Account>();
        const refusedAt = Option.match(credential, { onNone: () => null, onSome: ({ rejectedAt }) => rejectedAt });
        return Option.some({ ...account, refusedAt });
      });
    const find = (id: AccountId) =>
      Effect.flatMap(rows.get, (all) => {
        const row = HashMap.get(all, id);
        return Option.isNone(row) ? Effect.succeed(Option.none<Account>()) : existing(row.value);
      });
    const all = Effect.gen(function* () {
      const found = [];
      for (const row of HashMap.values(yield* rows.get)) found.push(...Option.toArray(yield* existing(row)));
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    });
    const listUnused = Effect.gen(function* () {
      const kept = new Set((yield* all).map(({ id }) => id));
      return [...HashMap.keys(yield* rows.get)].filter((id) => !kept.has(id));
    });
    const put = (account: Account) =>
      rows.modify((some) => [undefined, HashMap.set(some, account.id, { ...account, refusedAt: null })]);

    return AccountDirectory.of({
      find,
      list: ({ reach, state, tag, text }, after, limit) =>
        Effect.map(all, (accounts) =>
          accounts
            .filter(
              (account) =>
                reaches(reach, { address: account.id, tags: account.tags }) &&
                (state === null || stateOf(account) === state) &&
                (tag === null || account.tags.includes(tag)) &&
                (text === null || hasText(account, text.toLowerCase())) &&
                (after === null || account.id > after),
            )
            .slice(0, limit),
        ),
      insert: Effect.fnUntraced(function* (account) {
        yield* rows.lock([account.id]);
        if (Option.isSome(yield* find(account.id))) return false;
        yield* put(account);
        return true;
      }, transaction),
      change: (id, decide) =>
        transaction(
          Effect.gen(function* () {
            yield* rows.lock([id]);
            const account = yield* find(id);
            if (Option.isNone(account)) return Option.none();
            const [answer, after] = decide(account.value);
            yield* put(after);
            return Option.some(answer);
          }),
        ),
      erase: (id) => rows.modify((some) => [undefined, HashMap.remove(some, id)]),
      removeUnused: Effect.fnUntraced(function* (limit) {
        const unused = (yield* listUnused).slice(0, limit);
        yield* rows.lock(unused);
        const still = new Set(yield* listUnused);
        const removed = unused.filter((id) => still.has(id));
        yield* rows.modify((some) => [undefined, HashMap.removeMany(some, removed)]);
        return removed.length;
      }, transaction),
      countByState: Effect.map(all, (accounts) => {
        const counts = { active: 0, needs_reauth: 0, paused: 0, unreachable: 0 };
        for (const account of accounts) counts[stateOf(account)]++;
        return counts;
      }),
    });
  }),
);

const hasText = ({ id, name }: Account, text: string): boolean =>
  [id, name ?? ""].some((one) => one.toLowerCase().includes(text));
