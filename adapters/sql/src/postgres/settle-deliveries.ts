import { isDelivered } from "@postern/core/webhooks";
import { sql } from "kysely";
import type { SettleDeliveries } from "../database/Engine.ts";
import { ATTEMPT, DELIVERY } from "../tables/webhooks.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";

const SETTLED = sql.raw(
  `id text, token text, endpoint_id text, state text, generation bigint, step integer, due_at bigint,
  first_attempt_at bigint, lost_claims integer, n integer, started_at bigint, ms bigint, status integer, error_code text,
  excerpt text, remote_ip text, headers text, place bigint, ended_at bigint, delivered integer`,
);

/** Locks rows in order, deliveries before endpoints, which prevents deadlocks. Claims are ordered by the end of their attempts. */
export const settleFunction: DatabaseFunction = {
  name: "settle_deliveries",
  takes: ["json"],
  answers: "setof text",
  volatility: "volatile",
  body: sql`begin return query with given as materialized (
      select * from json_to_recordset($1) as given(${SETTLED})
    ), ours as (
      select given.* from delivery join given on given.id = delivery.id
      where delivery.state = 'in_flight' and delivery.lease_token = given.token
      order by delivery.id for no key update of delivery
    ), settled as (
      update delivery
      set state = ours.state, generation = ours.generation, step = ours.step, due_at = ours.due_at,
        first_attempt_at = ours.first_attempt_at, lost_claims = ours.lost_claims, lease_until = null, lease_token = null
      from ours where delivery.id = ours.id
    ), tried as (
      insert into attempt (delivery_id, n, started_at, ms, status, error_code, excerpt, remote_ip, headers)
      select id, n, started_at, ms, status, error_code, excerpt, remote_ip, headers from ours
    ), outcome as (
      select endpoint_id, max(place) as last, max(place) filter (where delivered = 1) as success from ours
      group by endpoint_id
    ), served as (
      select id from endpoint where id in (select endpoint_id from outcome) and removed_at is null
      order by id for no key update
    ), recorded as (
      update endpoint e
      set last_delivery_at = latest.ended_at, last_status = latest.status,
        last_success_at = case when outcome.success is null then e.last_success_at else greatest(
          e.last_success_at, (select ended_at from ours where place = outcome.success)
        ) end,
        consecutive_failures = case when outcome.success is null then e.consecutive_failures else 0 end + (
          select count(*) from ours one
          where one.endpoint_id = e.id and one.delivered = 0 and one.place > coalesce(outcome.success, -1)
        )
      from outcome join served on served.id = outcome.endpoint_id join ours latest on latest.place = outcome.last
      where e.id = outcome.endpoint_id
    )
    select id from ours; end`,
};

export const settleDeliveries: SettleDeliveries = async (db, settled) => {
  const rows = settled
    .toSorted((a, b) => endOf(a) - endOf(b))
    .map(({ delivery, token, attempt }, place) => ({
      ...DELIVERY.rowOf(delivery),
      ...ATTEMPT.rowOf(attempt),
      token,
      place,
      ended_at: attempt.startedAt + attempt.ms,
      delivered: isDelivered(attempt) ? 1 : 0,
    }));
  const found = await sql<{ id: string }>`
    select id from ${sql.table(settleFunction.name)}(${JSON.stringify(rows)}) id`.execute(db);
  return found.rows.map(({ id }) => id);
};

const endOf = ({ attempt: { startedAt, ms } }: Parameters<SettleDeliveries>[1][number]): number => startedAt + ms;
