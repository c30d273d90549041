import { isDelivered } from "@postern/core/webhooks";
import { sql } from "kysely";
import type { SettleDeliveries } from "../Engine.ts";
import { attemptRow, deliveryRow, insertAttempts, putDeliveries } from "../webhooks/delivery-rows.ts";
import { tableOf } from "./table-of.ts";

const CLAIM = {
  id: "text",
  token: "text",
  endpoint_id: "text",
  place: "bigint",
  ended_at: "bigint",
  status: "bigint",
  delivered: "bigint",
} as const;

/**
 * A single statement, because each further one is a round trip. It locks rows in order, deliveries before endpoints,
 * which prevents deadlocks. The places of claims are their order by the end of their attempts.
 */
export const settleDeliveries: SettleDeliveries = async (db, settled) => {
  const inOrder = settled.toSorted((a, b) => endOf(a) - endOf(b));
  const claims = inOrder.map((one, place) => ({
    id: one.delivery.id,
    token: one.token,
    endpoint_id: one.delivery.endpointId,
    place,
    ended_at: endOf(one),
    status: one.attempt.status,
    delivered: isDelivered(one.attempt) ? 1 : 0,
  }));
  const deliveries = settled.map(({ delivery }) => deliveryRow(delivery));
  const attempts = settled.map(({ attempt }) => attemptRow(attempt));
  const { rows } = await sql<{ id: string }>`
    with ours as (
      select delivery.id, claim.endpoint_id, claim.place, claim.ended_at, claim.status, claim.delivered
      from delivery join ${tableOf(CLAIM, claims)} claim on claim.id = delivery.id
      where delivery.state = 'in_flight' and delivery.lease_token = claim.token
      order by delivery.id for no key update of delivery
    ), settled as (
      ${putDeliveries(tableOf, deliveries, "in_flight")} and delivery.id in (select id from ours)
    ), tried as (
      ${insertAttempts(tableOf, attempts)} where made.delivery_id in (select id from ours)
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
    select id from ours`.execute(db);
  return rows.map(({ id }) => id);
};

const endOf = ({ attempt: { startedAt, ms } }: Parameters<SettleDeliveries>[1][number]): number => startedAt + ms;
