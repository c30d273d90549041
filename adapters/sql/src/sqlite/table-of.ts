import { sql } from "kysely";
import type { TableOf } from "../database/Engine.ts";

export const tableOf: TableOf = (columns, rows) => {
  const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(values)} from json_each(${JSON.stringify(rows)}))`;
};
