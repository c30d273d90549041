import { type RawBuilder, sql } from "kysely";
import type { ClaimDeliveries } from "../database/Engine.ts";
import { roomOf } from "../webhooks/due-deliveries.ts";
import type { DeliveryRow, EndpointRow } from "../tables/webhooks.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { endpointOf, isDue, nextOf, NO_SORTS, waitingEndpoints } from "./due-deliveries.ts";
import { skipLocked } from "./locks.ts";

const parameter = <A>(n: number): RawBuilder<A> => sql.raw(`$${n}`);
const [now, leaseUntil, token, limit, most, isRetry] = [1, 2, 3, 4, 5, 6].map((n) => parameter<never>(n));

/**
 * Maximum number of further accounts of ordered endpoints that a claim reads, over all endpoints, besides the accounts
 * whose deliveries it claims.
 */
const LANES = 20;

/** Orders the endpoints `e` by a number, because comparing text by the collation of the database takes longer. */
const turn = sql`
  case when ${isRetry} then hashtextextended(e.id || ${token}, 0) else coalesce(e.last_claimed_at, -1) end`;

/**
 * Locks the endpoints first. The next statement takes its snapshot after the locks, so its counts are exact. The
 * endpoints are returned before their deliveries. Looks for due deliveries of as many endpoints as it serves, the least
 * recently served first. A retry takes the endpoints in any order, because the first endpoint may have made the claim
 * fail.
 *
 * Regardless of the planner's statistics, a plan may not sort rows, and may read only rows that it returns. So rows
 * come in the order of an index, and only arrays are sorted. The condition of the update is written to match no index
 * of pending deliveries, because the planner would read such an index completely.
 */
export const claimFunction: DatabaseFunction = {
  name: "claim_due_deliveries",
  takes: ["bigint", "bigint", "text", "integer", "integer", "boolean"],
  answers: "table (claimed json, claimed_endpoint json, claimed_body bytea, claimed_attempts integer)",
  settings: NO_SORTS,
  volatility: "volatile",
  body: sql`
    declare
      waiting_ids text[];
      served_ids text[];
      picked_ids text[];
      picked_for text[];
    begin
      select array_agg(e.id order by ${turn}, e.id) into waiting_ids from (${waitingEndpoints}) waiting ${endpointOf(sql`waiting.id`)}
        where e.state = 'enabled';
      served_ids := array(
        select locked.id from unnest(waiting_ids) waiting(id) cross join lateral (
          select e.id from endpoint e
          where e.id = waiting.id and e.state = 'enabled' and ${roomOf} > 0 and ${isDue(now!)} ${skipLocked}
        ) locked limit ${most}
      );
      select (array_agg(picked.id order by picked.rank, picked.due_at, picked.id))[1:${limit}],
          (array_agg(e.id order by picked.rank, picked.due_at, picked.id))[1:${limit}]
        into picked_ids, picked_for
        from unnest(served_ids) served(id)
          ${endpointOf(sql`served.id`)}
          cross join lateral (select greatest(${roomOf}, 0)::integer as room) free
          cross join lateral (
            select (array_agg(next.id order by next.due_at, next.id))[1:free.room] as ids,
              (array_agg(next.due_at order by next.due_at, next.id))[1:free.room] as times
            from (${nextOf(now!, sql`free.room`, sql`greatest(free.room, ${sql.lit(LANES)} / cardinality(served_ids))`)}) next
          ) chosen
          cross join lateral unnest(chosen.ids, chosen.times) with ordinality picked(id, due_at, rank);
      if picked_ids is null then return; end if;
      update endpoint e set last_claimed_at = ${now},
        last_claimed_id = coalesce(picked_ids[array_position(picked_for, e.id)], e.last_claimed_id)
      where e.id = any(served_ids);
      return query select null::json, row_to_json(e), null::bytea, null::integer from endpoint e where e.id = any(served_ids);
      return query with taken as (
        update delivery d
        set state = 'in_flight', lease_until = ${leaseUntil}, lease_token = ${token},
          first_attempt_at = coalesce(d.first_attempt_at, ${now})
        where d.id = any(picked_ids) and d.state || '' = 'pending' returning d.*
      )
      select row_to_json(taken), null::json, event.body, (select max(n) from attempt where delivery_id = taken.id)
      from taken join event on event.id = taken.event_id;
    end`,
};

interface Claimed {
  readonly claimed: DeliveryRow | null;
  readonly claimed_endpoint: EndpointRow | null;
  readonly claimed_body: Uint8Array;
  readonly claimed_attempts: number | null;
}

export const claimDeliveries: ClaimDeliveries = async (db, claim) => {
  const { rows } = await sql<Claimed>`
    select * from ${sql.table(claimFunction.name)}(
      ${claim.now}, ${claim.leaseUntil}, ${claim.token}, ${claim.limit}, ${claim.endpoints}, ${claim.isRetry}
    )`.execute(db);
  return {
    endpoints: rows.flatMap(({ claimed_endpoint: endpoint }) => endpoint ?? []),
    rows: rows.flatMap(({ claimed, claimed_body: body, claimed_attempts: attempts }) =>
      claimed === null ? [] : [{ ...claimed, body, attempts }],
    ),
  };
};
