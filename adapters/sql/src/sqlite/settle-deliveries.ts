import type { SettleDeliveries } from "../Engine.ts";
import { given, insertAttempts, putDeliveries } from "../webhooks/delivery-rows.ts";
import { tableOf } from "./table-of.ts";

export const settleDeliveries: SettleDeliveries = async (db, settled) => {
  const tokens = new Map(settled.map(({ delivery, token }) => [delivery.id, token]));
  const rows = await db
    .selectFrom("delivery")
    .select(["id", "lease_token"])
    .where("id", "in", given(tableOf, [...tokens.keys()]))
    .where("state", "=", "in_flight")
    .execute();
  const ours = new Set(rows.flatMap((row) => (tokens.get(row.id) === row.lease_token ? [row.id] : [])));
  const kept = settled.filter(({ delivery }) => ours.has(delivery.id));
  if (kept.length === 0) return [];
  const deliveries = kept.map(({ delivery }) => delivery);
  const attempts = kept.map(({ attempt }) => attempt);
  await putDeliveries(tableOf, deliveries, "in_flight").execute(db);
  await insertAttempts(tableOf, attempts).execute(db);
  return [...ours];
};
