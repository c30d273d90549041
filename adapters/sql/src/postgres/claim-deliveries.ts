import { sql } from "kysely";
import type { ClaimDeliveries, ClaimedRow } from "../Engine.ts";
import { headsOf, roomOf } from "../webhooks/due-deliveries.ts";

/** The second statement of a claim: its snapshot is taken after the locks, so its counts are exact. */
export const claimDeliveries: ClaimDeliveries = async (db, endpoints, { now, leaseUntil, token, limit }) => {
  const ids = endpoints.map(({ id }) => id);
  const { rows } = await sql<ClaimedRow>`
    with room as (
      select e.id, e.generation, e.ordered, ${roomOf} as n from endpoint e where e.id = any(${ids}::text[])
    ), pick as (
      select d.id from room e cross join lateral (
        select id, due_at, row_number() over (order by due_at, id) as rank from (
          (select id, due_at from delivery
           where e.ordered = 0 and endpoint_id = e.id and state = 'pending' and generation = e.generation
             and due_at <= ${now}
           order by due_at, id limit greatest(e.n, 0))
          union all
          (select id, due_at from (${headsOf(sql`e.id`, sql`e.generation`)}) heads where e.ordered = 1 and due_at <= ${now}
           order by due_at, id limit greatest(e.n, 0))
        ) eligible
      ) d order by d.rank, d.due_at, d.id limit ${limit}
    ), touch as (
      update endpoint set last_claimed_at = ${now} where id = any(${ids}::text[])
    ), taken as (
      update delivery d
      set state = 'in_flight', lease_until = ${leaseUntil}, lease_token = ${token},
        first_attempt_at = coalesce(d.first_attempt_at, ${now})
      from pick where d.id = pick.id and d.state = 'pending' returning d.*
    )
    select taken.*, content.*, (select max(n) from attempt where delivery_id = taken.id) as attempts
    from taken cross join lateral (
      -- The limit keeps the planner to the index, whatever it believes of a table that is still young.
      select body from event where event.id = taken.event_id limit 1
    ) content`.execute(db);
  return rows;
};
