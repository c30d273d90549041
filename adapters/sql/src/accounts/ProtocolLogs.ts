import { findExcess, LOG_BOUNDS, ProtocolLogs } from "@postern/core/accounts";
import { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";

/** Protocol logs in `protocol_log`, their lines in `protocol_log_batch`. */
export const layer: Layer.Layer<ProtocolLogs, never, Database> = Layer.effect(
  ProtocolLogs,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, together, wakeUp } = database;
    const { wake: wakeAt, changed } = wakeUp("protocol_log");
    const wake = wakeAt(0);

    return ProtocolLogs.of({
      start: Effect.fn("ProtocolLogs.start")(function* (account, until) {
        yield* query((db) =>
          db
            .insertInto("protocol_log")
            .values({ account, ends_at: until })
            .onConflict((conflict) => conflict.column("account").doUpdateSet({ ends_at: until }))
            .execute(),
        );
        yield* wake;
      }, Effect.uninterruptible),

      listRunning: Effect.fnUntraced(function* (now) {
        const rows = yield* query((db) =>
          db.selectFrom("protocol_log").selectAll().where("ends_at", ">", now).orderBy("account").execute(),
        );
        return rows.map(({ account, ends_at }) => ({ account: AccountId(account), until: ends_at }));
      }),

      find: Effect.fnUntraced(function* (account) {
        const row = yield* query((db) =>
          db.selectFrom("protocol_log").select("ends_at").where("account", "=", account).executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), ({ ends_at }) => ends_at);
      }),

      append: Effect.fn("ProtocolLogs.append")((account, now, lines) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("protocol_log").select("account").where("account", "=", account),
          Effect.fnUntraced(function* (log) {
            if (Option.isNone(log) || lines.length === 0) return;
            const text = lines.join("\n");
            const row = {
              id: globalThis.crypto.randomUUID(),
              account,
              appended_at: now,
              bytes: Buffer.byteLength(text),
              line_count: lines.length,
              lines: text,
            };
            yield* query((db) => db.insertInto("protocol_log_batch").values(row).execute());
            const newestFirst = yield* query((db) =>
              db
                .selectFrom("protocol_log_batch")
                .select(["id", "bytes", "line_count as lines"])
                .where("account", "=", account)
                .orderBy("appended_at", "desc")
                .orderBy("id", "desc")
                .execute(),
            );
            const old = findExcess(newestFirst, LOG_BOUNDS).map(({ id }) => id);
            if (old.length > 0) {
              yield* query((db) => db.deleteFrom("protocol_log_batch").where("id", "in", old).execute());
            }
          }),
        ),
      ),

      lines: Effect.fn("ProtocolLogs.lines")(function* (account) {
        const rows = yield* query((db) =>
          db
            .selectFrom("protocol_log_batch")
            .select("lines")
            .where("account", "=", account)
            .orderBy("appended_at")
            .orderBy("id")
            .execute(),
        );
        return rows.flatMap(({ lines }) => lines.split("\n"));
      }),

      erase: Effect.fn("ProtocolLogs.erase")((account) =>
        together(
          Effect.gen(function* () {
            // The log is deleted first: a concurrent append that locks it ends before, and a later append finds no log.
            const { numDeletedRows } = yield* query((db) =>
              db.deleteFrom("protocol_log").where("account", "=", account).executeTakeFirst(),
            );
            yield* query((db) => db.deleteFrom("protocol_log_batch").where("account", "=", account).execute());
            if (numDeletedRows > 0n) yield* wake;
            return numDeletedRows > 0n;
          }),
        ),
      ),

      removeEnded: Effect.fn("ProtocolLogs.removeEnded")((before) =>
        together(
          Effect.gen(function* () {
            const rows = yield* query((db) =>
              db.deleteFrom("protocol_log").where("ends_at", "<", before).returning("account").execute(),
            );
            const accounts = rows.map(({ account }) => account);
            if (accounts.length === 0) return;
            yield* query((db) => db.deleteFrom("protocol_log_batch").where("account", "in", accounts).execute());
          }),
        ),
      ),

      changed,
    });
  }),
);
