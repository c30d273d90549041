import { AccountId } from "@postern/core/shared";
import { Sessions } from "@postern/core/auth";
import { Effect, Layer, Option } from "effect";
import { batched } from "../database/batched.ts";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import { isAfter } from "../database/list-after.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { rowOfSession, sessionOfRow } from "./session-rows.ts";

/** Returns whether PostgreSQL accepts a text. It refuses NUL, also in comparisons. */
const replaceNul = (text: string): boolean => !text.includes("\0");

/** Sessions in the table `session` (spec 3). */
export const layer: Layer.Layer<Sessions, never, Database> = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, outside, isInside } = database;

    const findBy = (column: "id" | "cookie_hash") => {
      const select = compiledWith((db, { keys }: { readonly keys: ReadonlyArray<string> }) =>
        db.selectFrom("session").selectAll().where(column, "in", keys),
      );
      const findAll = (keys: ReadonlyArray<string>) =>
        Effect.map(
          query((db) => select(db, { keys })),
          ({ rows }) => new Map(rows.map((row) => [row[column]!, sessionOfRow(row)])),
        );
      const findOne = (key: string) => Effect.map(findAll([key]), (found) => Option.fromUndefinedOr(found.get(key)));
      const findBatched = batched(findAll);
      return (key: string) => {
        if (!replaceNul(key)) return Effect.succeed(Option.none());
        return Effect.flatMap(isInside, (inside) => (inside ? findOne(key) : outside(findBatched(key))));
      };
    };

    const selectLive = compiledWith((db, { account, now }: { readonly account: AccountId; readonly now: number }) =>
      db
        .selectFrom("session")
        .select("id")
        .where("account", "=", account)
        .where("expires_at", ">", now)
        .where("absolute_expires_at", ">", now)
        .limit(1),
    );

    return Sessions.of({
      find: findBy("id"),
      findByCookie: findBy("cookie_hash"),

      insert: Effect.fn("Sessions.insert")(function* (session) {
        yield* query((db) =>
          db
            .insertInto("session")
            .values(rowOfSession(session))
            .onConflict((row) => row.column("id").doNothing())
            .execute(),
        );
      }),

      change: Effect.fn("Sessions.change")((id, decide) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("session").selectAll().where("id", "=", id),
          Effect.fnUntraced(function* (row) {
            if (Option.isNone(row)) return Option.none();
            const session = sessionOfRow(row.value);
            const [answer, after] = decide(session);
            if (after === null) yield* query((db) => db.deleteFrom("session").where("id", "=", id).execute());
            else if (after !== session) {
              yield* query((db) => db.updateTable("session").set(rowOfSession(after)).where("id", "=", id).execute());
            }
            return Option.some(answer);
          }),
        ),
      ),

      list: Effect.fnUntraced(function* (account, now, limit, after) {
        const rows = yield* query((db) =>
          db
            .selectFrom("session")
            .selectAll()
            .where("account", "=", account)
            .where("expires_at", ">", now)
            .where("absolute_expires_at", ">", now)
            .where(isAfter(after, ">"))
            .orderBy("created_at", "desc")
            .orderBy("id")
            .limit(limit)
            .execute(),
        );
        return rows.map(sessionOfRow);
      }),

      hasLive: (account, now) =>
        Effect.map(
          query((db) => selectLive(db, { account, now })),
          ({ rows }) => rows.length > 0,
        ),

      remove: Effect.fn("Sessions.remove")(function* (account, id) {
        if (!replaceNul(id)) return false;
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("session").where("account", "=", account).where("id", "=", id).executeTakeFirst(),
        );
        return numDeletedRows > 0n;
      }),

      removeAll: Effect.fn("Sessions.removeAll")(function* (account) {
        yield* query((db) => db.deleteFrom("session").where("account", "=", account).execute());
      }),

      removeExpired: Effect.fn("Sessions.removeExpired")(function* (now, limit) {
        const rows = yield* query((db) =>
          db
            .deleteFrom("session")
            .where("id", "in", (expired) =>
              expired.selectFrom("session").select("id").where("expires_at", "<=", now).orderBy("id").limit(limit),
            )
            // A session that was extended in the meantime is kept.
            .where("expires_at", "<=", now)
            .returning("account")
            .execute(),
        );
        return rows.map(({ account }) => AccountId(account));
      }),
    });
  }),
);
