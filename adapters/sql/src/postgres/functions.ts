import { type Kysely, sql } from "kysely";
import type { Tables } from "../Tables.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { claimFunction } from "./claim-deliveries.ts";
import { timesFunction } from "./delivery-times.ts";
import { settleFunction } from "./settle-deliveries.ts";

const FUNCTIONS: ReadonlyArray<DatabaseFunction> = [claimFunction, settleFunction, timesFunction];

/**
 * Makes the functions that the database does not have as they are here. Each runs statements in one round trip, and the
 * server keeps their plans, which take longer to make than to run; it would not keep those of named statements for clients
 * behind a pooler. Kept plans must use indexes, because they may be made while the tables are small.
 */
export const makeFunctions = async (db: Kysely<Tables>): Promise<void> => {
  for (const { name, takes, answers, body } of FUNCTIONS) {
    const text = ` ${body.compile(db).sql} `;
    const signature = `${name}(${takes.join(", ")})`;
    const { rows } = await sql<{ prosrc: string }>`
      select prosrc from pg_proc where oid = to_regprocedure(${signature})`.execute(db);
    if (rows[0]?.prosrc === text) continue;
    await sql`
      create or replace function ${sql.raw(signature)} returns ${sql.raw(answers)} language plpgsql
      set plan_cache_mode = force_generic_plan set enable_seqscan = off
      as ${sql.lit(text)}`.execute(db);
  }
};
