import { type RawBuilder, sql } from "kysely";
import { headsOf } from "../webhooks/due-deliveries.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";

/**
 * Returns what the endpoint `$1` of the generation `$2` may get next, if due at `$4`: at most `$5` deliveries, in order if `$3`
 * is 1. An index has the deliveries in the order in which they are due; a plan that sorts would read all that wait.
 */
export const dueFunction: DatabaseFunction = {
  name: "due_deliveries",
  takes: ["text", "bigint", "integer", "bigint", "integer"],
  answers: "table (next_id text, next_due_at bigint)",
  settings: ["enable_sort = off"],
  body: sql`begin
    if $3 = 1 then
      return query select id, due_at from (${headsOf(sql.raw("$1"), sql.raw("$2"))}) heads where due_at <= $4
        order by due_at, id limit $5;
    else
      return query select id, due_at from delivery
        where endpoint_id = $1 and state = 'pending' and generation = $2 and due_at <= $4 order by due_at, id limit $5;
    end if;
  end`,
};

/** What the endpoint `e` may get next, as a table. */
export const dueOf = (now: RawBuilder<number>, most: RawBuilder<number>) =>
  sql`due_deliveries(e.id, e.generation, e.ordered, ${now}, ${most})`;

/** When the endpoint `e` first has a delivery due that may be next. Null if none waits. */
export const firstDue = sql<number | null>`
  (select next_due_at from ${dueOf(sql.lit(Number.MAX_SAFE_INTEGER), sql.lit(1))})`;
