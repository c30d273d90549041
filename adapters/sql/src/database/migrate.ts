import { type Kysely, sql } from "kysely";
import { DatabaseClash, DatabaseTooNew } from "./errors.ts";
import type { Migration } from "../migrations/Migration.ts";
import type { Tables } from "../tables/Tables.ts";

/**
 * Runs all missing migrations in one transaction. `lock` excludes other processes until the end of the transaction.
 * Returns the names of the executed migrations. Throws `DatabaseTooNew` if the database has an unknown migration, and
 * `DatabaseClash` if the database has tables of another program; then nothing is changed.
 */
export const migrate = (
  kysely: Kysely<Tables>,
  steps: ReadonlyArray<Migration>,
  now: number,
  lock: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<ReadonlyArray<string>> =>
  convertFailures(
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
      if (unknown.length > 0 && unknown.length === applied.size) {
        throw new DatabaseClash({ detail: 'it has a table "migration" of another program' });
      }
      if (unknown.length > 0) throw new DatabaseTooNew({ unknown });
      const missing = steps.filter(({ name }) => !applied.has(name));
      for (const { name, up } of missing) {
        await up(db);
        await db.insertInto("migration").values({ name, applied_at: now }).execute();
      }
      return missing.map(({ name }) => name);
    }),
  );

/** The codes with which PostgreSQL refuses to make or use a table of another program. */
const FOREIGN_TABLE_CODES = new Set(["42P07", "42P16", "42703", "42710", "42723", "42804", "42809"]);

const convertFailures = <A>(migrating: Promise<A>): Promise<A> =>
  migrating.catch((error: unknown) => {
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    throw code !== undefined && FOREIGN_TABLE_CODES.has(code) ? new DatabaseClash({ detail: message ?? code }) : error;
  });

/** Returns whether the table `migration` of a database is Postern's. */
export const isOurs = async (kysely: Kysely<Tables>): Promise<boolean> => {
  const { rows } = await sql<{ ours: boolean }>`
    select to_jsonb(m) ->> 'name' = '0001-sign-in-and-folders' as ours from migration m`.execute(kysely);
  return rows.some(({ ours }) => ours);
};
