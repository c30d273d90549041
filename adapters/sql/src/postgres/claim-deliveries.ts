import { type RawBuilder, sql } from "kysely";
import type { ClaimDeliveries } from "../Engine.ts";
import { headsOf, roomOf, servedNow } from "../webhooks/due-deliveries.ts";
import type { DeliveryRow, EndpointRow } from "../webhooks/tables.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { skipLocked } from "./locks.ts";

const parameter = <A>(n: number): RawBuilder<A> => sql.raw(`$${n}`);
const [now, leaseUntil, token, limit, most] = [1, 2, 3, 4, 5].map((n) => parameter<never>(n));

/**
 * Locks the endpoints first: the snapshot of the second statement is taken after the locks, so its counts are exact. The
 * first delivery of each endpoint is returned with it.
 */
export const claimFunction: DatabaseFunction = {
  name: "claim_deliveries",
  takes: ["bigint", "bigint", "text", "integer", "integer"],
  answers: "table (claimed json, claimed_endpoint json, claimed_body bytea, claimed_attempts integer)",
  body: sql`
    declare
      served_ids text[];
    begin
      select array_agg(served.id) into served_ids from (${servedNow(now!, most!)} ${skipLocked}) served;
      if served_ids is null then return; end if;
      return query with room as (
        select e.id, e.generation, e.ordered, ${roomOf} as n from endpoint e where e.id = any(served_ids)
      ), pick as (
        select d.id from room e cross join lateral (
          select id, due_at, row_number() over (order by due_at, id) as rank from (
            (select id, due_at from delivery
             where e.ordered = 0 and endpoint_id = e.id and state = 'pending' and generation = e.generation
               and due_at <= ${now}
             order by due_at, id limit greatest(e.n, 0))
            union all
            (select id, due_at from (${headsOf(sql`e.id`, sql`e.generation`)}) heads
             where e.ordered = 1 and due_at <= ${now}
             order by due_at, id limit greatest(e.n, 0))
          ) eligible
        ) d order by d.rank, d.due_at, d.id limit ${limit}
      ), touch as (
        update endpoint set last_claimed_at = ${now} where id = any(served_ids)
      ), taken as (
        update delivery d
        set state = 'in_flight', lease_until = ${leaseUntil}, lease_token = ${token},
          first_attempt_at = coalesce(d.first_attempt_at, ${now})
        from pick where d.id = pick.id and d.state = 'pending' returning d.*
      )
      select row_to_json(taken),
        case when row_number() over (partition by taken.endpoint_id) = 1 then row_to_json(e) end,
        event.body, (select max(n) from attempt where delivery_id = taken.id)
      from taken join endpoint e on e.id = taken.endpoint_id join event on event.id = taken.event_id;
    end`,
};

interface Claimed {
  readonly claimed: DeliveryRow;
  readonly claimed_endpoint: EndpointRow | null;
  readonly claimed_body: Uint8Array;
  readonly claimed_attempts: number | null;
}

export const claimDeliveries: ClaimDeliveries = async (db, claim) => {
  const { rows } = await sql<Claimed>`
    select * from claim_deliveries(${claim.now}, ${claim.leaseUntil}, ${claim.token}, ${claim.limit}, ${claim.endpoints})
    `.execute(db);
  return {
    endpoints: rows.flatMap(({ claimed_endpoint: endpoint }) => endpoint ?? []),
    rows: rows.map((row) => ({ ...row.claimed, body: row.claimed_body, attempts: row.claimed_attempts })),
  };
};
