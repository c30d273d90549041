import { type RawBuilder, sql } from "kysely";

/** POSTs in flight to the endpoint `e`. */
const inFlight = sql`(select count(*) from delivery x where x.endpoint_id = e.id and x.state = 'in_flight')`;

/** The number of further POSTs that the endpoint `e` may get now. */
export const roomOf: RawBuilder<number> = sql`(case when e.ordered = 1 then 1 else e.max_in_flight end) - ${inFlight}`;

/**
 * When the endpoint `e` first has a delivery of its current generation due; for an ordered endpoint, its earliest event
 * only. Null if none waits.
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
