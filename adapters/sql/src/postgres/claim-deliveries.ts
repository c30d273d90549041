import { type Kysely, sql } from "kysely";
import type { ClaimDeliveries, ClaimedRow, DeliveryClaim } from "../Engine.ts";
import type { Tables } from "../Tables.ts";
import type { EndpointRow } from "../webhooks/tables.ts";
import { headsOf, roomOf, servedNow } from "../webhooks/due-deliveries.ts";
import { skipLocked } from "./locks.ts";

/** Locks the endpoints first: the snapshot of the second statement is taken after the locks, so its counts are exact. */
const claimIn = async (db: Kysely<Tables>, { now, leaseUntil, token, limit, endpoints: most }: DeliveryClaim) => {
  const { rows: endpoints } = await sql<EndpointRow>`${servedNow(now, most)} ${skipLocked}`.execute(db);
  if (endpoints.length === 0) return { endpoints, rows: [] };
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
  return { endpoints, rows };
};

export const claimDeliveries: ClaimDeliveries = (db, claim) =>
  db.isTransaction ? claimIn(db, claim) : db.transaction().execute((inside) => claimIn(inside, claim));
