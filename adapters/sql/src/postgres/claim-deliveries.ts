import { type RawBuilder, sql } from "kysely";
import type { ClaimDeliveries } from "../Engine.ts";
import { roomOf, servedNow } from "../webhooks/due-deliveries.ts";
import type { DeliveryRow, EndpointRow } from "../webhooks/tables.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { dueOf, firstDue } from "./due-deliveries.ts";
import { skipLocked } from "./locks.ts";

const parameter = <A>(n: number): RawBuilder<A> => sql.raw(`$${n}`);
const [now, leaseUntil, token, limit, most] = [1, 2, 3, 4, 5].map((n) => parameter<never>(n));

/**
 * Locks the endpoints first: the snapshot of the statement after it is taken after the locks, so its counts are exact. The
 * first delivery of each endpoint is returned with it. The condition of the update is written to match no index of pending
 * deliveries, which would be read whole for the ids.
 */
export const claimFunction: DatabaseFunction = {
  name: "claim_deliveries",
  takes: ["bigint", "bigint", "text", "integer", "integer"],
  answers: "table (claimed json, claimed_endpoint json, claimed_body bytea, claimed_attempts integer)",
  body: sql`
    declare
      served_ids text[];
      picked_ids text[];
    begin
      select array_agg(served.id) into served_ids from (${servedNow(firstDue, now!, most!)} ${skipLocked}) served;
      if served_ids is null then return; end if;
      picked_ids := array(
        select d.next_id from endpoint e cross join lateral (
          select *, row_number() over (order by next_due_at, next_id) as rank
          from ${dueOf(now!, sql`greatest(${roomOf}, 0)::integer`)}
        ) d where e.id = any(served_ids) order by d.rank, d.next_due_at, d.next_id limit ${limit}
      );
      update endpoint set last_claimed_at = ${now} where id = any(served_ids);
      return query with taken as (
        update delivery d
        set state = 'in_flight', lease_until = ${leaseUntil}, lease_token = ${token},
          first_attempt_at = coalesce(d.first_attempt_at, ${now})
        where d.id = any(picked_ids) and d.state || '' = 'pending' returning d.*
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
