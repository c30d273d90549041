import { AuditEntries } from "@postern/core/audit";
import { Effect, Layer } from "effect";
import { Database } from "../database/Database.ts";
import { AUDIT_ENTRY } from "../tables/audit.ts";

/** The entries of the audit in the table `audit_entry`. */
export const layer: Layer.Layer<AuditEntries, never, Database> = Layer.effect(
  AuditEntries,
  Effect.gen(function* () {
    const { query } = yield* Database;

    return AuditEntries.of({
      insert: Effect.fnUntraced(function* (entries) {
        const rows = entries.map((entry) => AUDIT_ENTRY.rowOf({ ...entry, ids: entry.ids.join(" ") }));
        yield* query((db) =>
          db
            .insertInto("audit_entry")
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        );
      }),

      list: Effect.fn("AuditEntries.list")(function* ({ key, account, operations }, after, limit) {
        const rows = yield* query((db) =>
          db
            .selectFrom("audit_entry")
            .selectAll()
            .$if(key !== null, (some) => some.where("key", "=", key))
            .$if(account !== null, (some) => some.where("account", "=", account))
            .$if(operations !== null, (some) => some.where("operation", "in", operations!))
            .$if(after !== undefined, (some) =>
              some.where((row) => row(row.refTuple("created_at", "id"), "<", row.tuple(after!.at, after!.id))),
            )
            .orderBy("created_at", "desc")
            .orderBy("id", "desc")
            .limit(limit)
            .execute(),
        );
        return rows.map(AUDIT_ENTRY.recordOf).map((entry) => ({ ...entry, ids: entry.ids.match(/\S+/g) ?? [] }));
      }),

      removeOld: Effect.fn("AuditEntries.removeOld")(function* (before, limit, only) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("audit_entry")
            .where((row) =>
              row(
                row.refTuple("created_at", "id"),
                "in",
                row
                  .selectFrom("audit_entry")
                  .select(["created_at", "id"])
                  .where("created_at", "<", before)
                  .$if(only !== undefined, (some) => some.where("operation", "in", only!))
                  .limit(limit)
                  .$asTuple("created_at", "id"),
              ),
            )
            .executeTakeFirstOrThrow(),
        );
        return Number(numDeletedRows);
      }),
    });
  }),
);
