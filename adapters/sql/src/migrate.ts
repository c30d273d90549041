import type { Kysely } from "kysely";
import { DatabaseTooNew } from "./errors.ts";
import type { Migration } from "./migrations/Migration.ts";
import type { Tables } from "./Tables.ts";

/**
 * Runs all missing migrations in one transaction. `lock` excludes other processes until it ends. Returns the names of
 * the migrations it ran. Throws `DatabaseTooNew` without a change if the database has an unknown migration.
 */
export const migrate = (
  kysely: Kysely<Tables>,
  steps: ReadonlyArray<Migration>,
  now: number,
  lock: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<ReadonlyArray<string>> =>
  kysely.transaction().execute(async (db) => {
    await lock(db);
    await db.schema
      .createTable("migration")
      .ifNotExists()
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("applied_at", "bigint", (column) => column.notNull())
      .execute();
    const rows = await db.selectFrom("migration").select("name").orderBy("name").execute();
    const applied = new Set(rows.map(({ name }) => name));
    const unknown = [...applied].filter((name) => steps.every((step) => step.name !== name));
    if (unknown.length > 0) throw new DatabaseTooNew({ unknown });
    const missing = steps.filter(({ name }) => !applied.has(name));
    for (const { name, up } of missing) {
      await up(db);
      await db.insertInto("migration").values({ name, applied_at: now }).execute();
    }
    return missing.map(({ name }) => name);
  });
