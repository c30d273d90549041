import { sql } from "kysely";
import type { TableOf } from "../database/Engine.ts";

export const tableOf: TableOf = (columns, rows) => {
  const types = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql`(select * from json_to_recordset(${JSON.stringify(rows)}::json) as given(${sql.join(types)}))`;
};
