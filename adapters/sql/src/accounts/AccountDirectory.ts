import { type Account, AccountDirectory } from "@postern/core/accounts";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import { batched } from "../database/batched.ts";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { accountOfRow, isUnused, selectExisting, narrowTo, rowOfAccount, stateOfRow } from "./account-rows.ts";

/** Accounts in the table `account`; their tags are also in `account_tag`. */
export const layer: Layer.Layer<AccountDirectory, never, Database> = Layer.effect(
  AccountDirectory,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, together, outside, isInside, skipLocked } = database;

    const select = compiledWith((db, given: { readonly accounts: ReadonlyArray<AccountId> }) =>
      selectExisting(db).where("account.account", "in", given.accounts),
    );
    const findAll = (accounts: ReadonlyArray<AccountId>) =>
      Effect.map(
        query((db) => select(db, { accounts })),
        ({ rows }) => new Map(rows.map((row) => [row.account as AccountId, accountOfRow(row)])),
      );
    const findBatched = batched(findAll);

    const replaceTags = ({ id, tags }: Account) =>
      query(async (db) => {
        await db.deleteFrom("account_tag").where("account", "=", id).execute();
        const rows = tags.map((tag) => ({ account: id, tag }));
        if (rows.length > 0) await db.insertInto("account_tag").values(rows).execute();
      });

    return AccountDirectory.of({
      find: (account) =>
        Effect.flatMap(isInside, (inside) =>
          inside
            ? Effect.map(findAll([account]), (found) => Option.fromUndefinedOr(found.get(account)))
            : outside(findBatched(account)),
        ),

      list: Effect.fn("AccountDirectory.list")(function* (filter, after, limit) {
        const rows = yield* query((db) => {
          const some = narrowTo(selectExisting(db), filter).orderBy("account.account").limit(limit);
          return (after === null ? some : some.where("account.account", ">", after)).execute();
        });
        return rows.map(accountOfRow);
      }),

      insert: Effect.fn("AccountDirectory.insert")(function* (account) {
        const found = yield* query((db) =>
          database.lockRows(selectExisting(db).where("account.account", "=", account.id)).executeTakeFirst(),
        );
        if (found !== undefined) return false;
        const row = rowOfAccount(account);
        const { account: _, ...rest } = row;
        yield* query((db) =>
          db
            .insertInto("account")
            .values(row)
            .onConflict((conflict) => conflict.column("account").doUpdateSet(rest))
            .execute(),
        );
        yield* replaceTags(account);
        return true;
      }, together),

      change: Effect.fn("AccountDirectory.change")((id, decide) =>
        modifyLocked(
          database,
          (db) => selectExisting(db).where("account.account", "=", id),
          Effect.fnUntraced(function* (row) {
            if (Option.isNone(row)) return Option.none();
            const account = accountOfRow(row.value);
            const [answer, after] = decide(account);
            if (after === account) return Option.some(answer);
            const { account: _, ...rest } = rowOfAccount(after);
            yield* query((db) => db.updateTable("account").set(rest).where("account", "=", id).execute());
            if (after.tags !== account.tags) yield* replaceTags(after);
            return Option.some(answer);
          }),
        ),
      ),

      erase: Effect.fn("AccountDirectory.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("account").where("account", "=", account).execute());
      }),

      removeUnused: Effect.fn("AccountDirectory.removeUnused")(function* (limit) {
        const unused = yield* query((db) =>
          db.selectFrom("account").select("account").where(isUnused).limit(limit).modifyEnd(skipLocked).execute(),
        );
        if (unused.length === 0) return 0;
        const accounts = unused.map(({ account }) => account);
        // A sign-in that was committed before the lock may have stored a credential. Only a new query sees it.
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("account").where("account", "in", accounts).where(isUnused).executeTakeFirst(),
        );
        return Number(numDeletedRows);
      }, together),

      countByState: Effect.map(
        query((db) =>
          db
            .with("accounts", () => selectExisting(db).select(stateOfRow.as("state")))
            .selectFrom("accounts")
            .select(["state", (row) => row.fn.countAll<number | string>().as("count")])
            .groupBy("state")
            .execute(),
        ),
        (rows) => ({
          active: 0,
          needs_reauth: 0,
          paused: 0,
          unreachable: 0,
          ...Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])),
        }),
      ),
    });
  }),
);
