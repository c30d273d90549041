import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/Tables.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { claimFunction } from "./claim-deliveries.ts";
import { timesFunction } from "./delivery-times.ts";
import { settleFunction } from "./settle-deliveries.ts";

const FUNCTIONS: ReadonlyArray<DatabaseFunction> = [claimFunction, settleFunction, timesFunction];

/**
 * The settings of every function. Stored plans must use indexes, because the server may make the plans while the tables
 * are small. JIT is off, because plans look expensive with these settings, and compiling them for each run would cost
 * half a second of CPU.
 */
const SETTINGS = ["plan_cache_mode = force_generic_plan", "enable_seqscan = off", "jit = off"];

/**
 * Creates the functions that the database lacks, and replaces those whose text differs from `FUNCTIONS`. A function
 * runs its statements in one round trip, and the server keeps the plans of these statements, because planning takes
 * longer than running. Behind a pooler the server would not keep the plans of named statements. With `schema`, each
 * function has a `search_path` that leads to its tables.
 */
export const makeFunctions = async (db: Kysely<Tables>, schema: string | undefined): Promise<void> => {
  const path = schema === undefined ? [] : [`search_path = ${schema}`];
  for (const { name, takes, answers, settings = [], volatility, body } of FUNCTIONS) {
    const text = ` ${body.compile(db).sql} `;
    const signature = `${name}(${takes.join(", ")})`;
    const set = [...SETTINGS, ...settings, ...path];
    const known = await sql<{ prosrc: string; provolatile: string; proconfig: ReadonlyArray<string> | null }>`
      select prosrc, provolatile, proconfig from pg_proc where oid = to_regprocedure(${signature})`.execute(db);
    const has = known.rows[0];
    const isSame = has?.prosrc === text && has.provolatile === volatility[0];
    if (isSame && has.proconfig?.join() === set.join().replaceAll(" = ", "=")) continue;
    await sql`
      create or replace function ${sql.raw(signature)} returns ${sql.raw(answers)} language plpgsql ${sql.raw(volatility)}
      ${sql.raw(set.map((setting) => `set ${setting}`).join(" "))} as ${sql.lit(text)}`.execute(db);
  }
};
