import { type RawBuilder, sql } from "kysely";

/** POSTs on their way to the endpoint `e`. */
const inFlight = sql`(select count(*) from delivery x where x.endpoint_id = e.id and x.state = 'in_flight')`;

/** How many more POSTs the endpoint `e` may get at a time. */
export const roomOf: RawBuilder<number> = sql`(case when e.ordered = 1 then 1 else e.max_in_flight end) - ${inFlight}`;

/**
 * When the endpoint `e` first has something to be sent of its present generation: an ordered one its earliest event
 * alone. Null where nothing waits.
 */
export const firstDueOf: RawBuilder<number | null> = sql`
  case when e.ordered = 1 then (
    select d.due_at from delivery d
    where d.endpoint_id = e.id and d.state = 'pending' and d.generation = e.generation
    order by d.position, d.id limit 1
  ) else (
    select d.due_at from delivery d
    where d.endpoint_id = e.id and d.state = 'pending' and d.generation = e.generation
    order by d.due_at, d.id limit 1
  ) end`;
