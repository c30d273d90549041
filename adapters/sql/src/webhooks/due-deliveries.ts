import { type RawBuilder, sql } from "kysely";
import type { EndpointRow } from "../tables/webhooks.ts";

/** The number of POSTs in flight to the endpoint `e`. */
const inFlight = sql`(select count(*) from delivery x where x.endpoint_id = e.id and x.state = 'in_flight')`;

/** The number of further POSTs that the endpoint `e` may get now. */
export const roomOf: RawBuilder<number> = sql`e.max_in_flight - ${inFlight}`;

/** A column of a lane's earliest delivery. Each column is a separate look-up in the index, so that the planner cannot choose a join. */
const firstOf = (waits: RawBuilder<unknown>, column: "id" | "due_at") => sql`(
  select ${sql.ref(`n.${column}`)} from delivery n where ${waits} and n.account = lane.account order by n.position, n.id limit 1
)`;

/**
 * Selects `id`, `account` and `due_at` of the deliveries that may be next for an ordered endpoint: for each account
 * without a delivery in flight, the earliest delivery of the current generation. Accounts are found one after another,
 * each by one probe of the index, so that the cost grows only with the number of accounts read. `range` limits the
 * accounts (`n.account`).
 */
export const headsOf = (
  endpoint: string | RawBuilder<string>,
  generation: number | RawBuilder<number>,
  range: RawBuilder<unknown> = sql``,
) => {
  const waits = sql`n.endpoint_id = ${endpoint} and n.state = 'pending' and n.generation = ${generation}`;
  // This query does not use min(), because while the table is small a planner may compute min() by reading all waiting
  // rows.
  const firstAccount = (after: RawBuilder<unknown>) =>
    sql`(select n.account from delivery n where ${waits} ${range} ${after} order by n.account, n.position, n.id limit 1)`;
  return sql<{ readonly id: string; readonly account: string; readonly due_at: number }>`
    with recursive lane(account) as (
      select ${firstAccount(sql``)}
      union all
      select ${firstAccount(sql`and n.account > lane.account`)} from lane where lane.account is not null
    )
    select ${firstOf(waits, "id")} as id, lane.account, ${firstOf(waits, "due_at")} as due_at
    from lane where lane.account is not null and not exists (
      select 1 from delivery x where x.endpoint_id = ${endpoint} and x.state = 'in_flight' and x.account = lane.account
    )`;
};

/**
 * The time at which the first delivery that the endpoint `e` may get next falls due, as one expression; null if no
 * delivery is pending.
 */
export const firstDueOf: RawBuilder<number | null> = sql`
  case when e.ordered = 1 then (select min(due_at) from (${headsOf(sql`e.id`, sql`e.generation`)}) heads) else (
    select d.due_at from delivery d
    where d.endpoint_id = e.id and d.state = 'pending' and d.generation = e.generation
    order by d.due_at, d.id limit 1
  ) end`;

/**
 * Selects as `id` the endpoints with a pending delivery, found one after another by an index. Endpoints without one,
 * which may be many, cost nothing.
 */
export const waitingEndpoints = sql<{ readonly id: string }>`
  with recursive waiting(id) as (
    select min(endpoint_id) from delivery where state = 'pending'
    union all
    select (select min(endpoint_id) from delivery where state = 'pending' and endpoint_id > waiting.id)
    from waiting where waiting.id is not null
  ) select id from waiting where id is not null`;

/**
 * Selects the endpoints that may be served now with their free capacity as `room`, the least recently served first.
 * `firstDue` is the expression for the first due time of `e`.
 */
export const selectServable = (
  firstDue: RawBuilder<number | null>,
  now: number | RawBuilder<number>,
  most: number | RawBuilder<number>,
): RawBuilder<EndpointRow & { readonly room: number }> => sql`
  select e.*, ${roomOf} as room from (${waitingEndpoints}) waiting cross join endpoint e
  where e.id = waiting.id and e.state = 'enabled' and ${firstDue} <= ${now} and ${roomOf} > 0
  order by e.last_claimed_at nulls first, e.id limit ${most}`;

/** Selects the time at which the first lease expires, and the time at which a delivery can be claimed next. */
export const nextTimes = (
  firstDue: RawBuilder<number | null>,
): RawBuilder<{ readonly lease: number | null; readonly due: number | null }> => sql`
  select
    (select min(lease_until) from delivery where state = 'in_flight') as lease,
    (select min(due) from (
      select ${firstDue} as due from (${waitingEndpoints}) waiting cross join endpoint e
      where e.id = waiting.id and e.state = 'enabled' and ${roomOf} > 0
    ) first) as due`;
