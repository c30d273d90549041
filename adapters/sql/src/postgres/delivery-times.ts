import { sql } from "kysely";
import type { DeliveryTimes } from "../Engine.ts";
import { nextTimes } from "../webhooks/due-deliveries.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { firstDue } from "./due-deliveries.ts";

export const timesFunction: DatabaseFunction = {
  name: "delivery_times",
  takes: [],
  answers: "table (next_lease bigint, next_due bigint)",
  body: sql`begin return query ${nextTimes(firstDue)}; end`,
};

export const deliveryTimes: DeliveryTimes = async (db) => {
  const { rows } = await sql<Awaited<ReturnType<DeliveryTimes>>>`
    select next_lease as lease, next_due as due from delivery_times()`.execute(db);
  return rows[0]!;
};
