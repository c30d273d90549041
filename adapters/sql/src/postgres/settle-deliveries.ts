import { sql } from "kysely";
import type { SettleDeliveries } from "../Engine.ts";
import { insertAttempts, putDeliveries } from "../webhooks/delivery-rows.ts";
import { tableOf } from "./table-of.ts";

/** A single statement saves round trips. It locks rows in order, which prevents deadlocks. */
export const settleDeliveries: SettleDeliveries = async (db, settled) => {
  const claims = settled.map(({ delivery: { id }, token }) => ({ id, token }));
  const deliveries = settled.map(({ delivery }) => delivery);
  const attempts = settled.map(({ attempt }) => attempt);
  const { rows } = await sql<{ id: string }>`
    with ours as (
      select delivery.id from delivery join ${tableOf({ id: "text", token: "text" }, claims)} claim on claim.id = delivery.id
      where delivery.state = 'in_flight' and delivery.lease_token = claim.token
      order by delivery.id for no key update of delivery
    ), settled as (
      ${putDeliveries(tableOf, deliveries, "in_flight")} and delivery.id in (select id from ours)
    ), tried as (
      ${insertAttempts(tableOf, attempts)} where made.delivery_id in (select id from ours)
    )
    select id from ours`.execute(db);
  return rows.map(({ id }) => id);
};
