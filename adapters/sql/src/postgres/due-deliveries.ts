import { type RawBuilder, sql } from "kysely";
import { headsOf } from "../webhooks/due-deliveries.ts";

/**
 * Settings under which a plan reads rows in the order of an index and joins the rows one by one, whatever statistics
 * the planner has.
 */
export const NO_SORTS = [
  "enable_sort = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
];

/** This is the query of SQLite without min(), because a planner may compute min() by reading all waiting deliveries. */
export const waitingEndpoints = sql<{ readonly id: string }>`
  with recursive waiting(id) as (
    select (select endpoint_id from delivery where state = 'pending' order by endpoint_id limit 1)
    union all
    select (
      select endpoint_id from delivery where state = 'pending' and endpoint_id > waiting.id order by endpoint_id limit 1
    ) from waiting where waiting.id is not null
  ) select id from waiting where id is not null`;

/** Looks up the endpoint `e` of each id. `offset 0` keeps the planner from joining in the other direction. */
export const endpointOf = (id: RawBuilder<string>) =>
  sql`cross join lateral (select * from endpoint where endpoint.id = ${id} offset 0) e`;

/** The time at which the first delivery of the unordered endpoint `e` falls due; null if no delivery is pending. */
const firstInAnyOrder = sql<number | null>`(
  select d.due_at from delivery d where d.endpoint_id = e.id and d.state = 'pending' and d.generation = e.generation
  order by d.due_at, d.id limit 1
)`;

const heads = (range?: RawBuilder<unknown>) => headsOf(sql`e.id`, sql`e.generation`, range);

/**
 * The time at which the first delivery that the endpoint `e` may get next falls due; null if no delivery is pending.
 */
export const firstDue = sql<number | null>`
  case when e.ordered = 1 then (select min(heads.due_at) from (${heads()}) heads) else ${firstInAnyOrder} end`;

/** Returns whether the endpoint `e` has a delivery that may be sent now. For an ordered endpoint, it reads up to the first such delivery. */
export const isDue = (now: RawBuilder<number>) => sql`
  case when e.ordered = 1 then exists (select 1 from (${heads()}) heads where heads.due_at <= ${now})
  else ${firstInAnyOrder} <= ${now} end`;

/** The account of the delivery that a claim last took for the endpoint `e`. */
const lastAccount = sql`coalesce((select l.account from delivery l where l.id = e.last_claimed_id), '')`;

/**
 * The deliveries that the endpoint `e` may get next at `now`, at most `room`. For an ordered endpoint it reads at most
 * `lanes` accounts with due deliveries, beginning after the account that was served last, so that all accounts take
 * turns.
 */
export const nextOf = (now: RawBuilder<number>, room: RawBuilder<number>, lanes: RawBuilder<number>) => sql`
  (
    select found.id, found.due_at from (
      (select id, due_at from (${heads(sql`and n.account > ${lastAccount}`)}) heads where heads.due_at <= ${now})
      union all
      (select id, due_at from (${heads(sql`and n.account <= ${lastAccount}`)}) heads where heads.due_at <= ${now})
      limit ${lanes}
    ) found where e.ordered = 1
  ) union all (
    select d.id, d.due_at from delivery d
    where e.ordered = 0 and d.endpoint_id = e.id and d.state = 'pending' and d.generation = e.generation
      and d.due_at <= ${now}
    order by d.due_at, d.id limit ${room}
  )`;
