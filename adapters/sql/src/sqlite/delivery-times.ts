import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { DeliveryTimes } from "../database/Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import { firstDueOf, nextTimes } from "../webhooks/due-deliveries.ts";
import { prepareOnce } from "./one-step.ts";

type Times = Awaited<ReturnType<DeliveryTimes>>;

/** Returns a function that reads the due times of deliveries in this database. */
export const deliveryTimesReader = (database: DatabaseSync, kysely: Kysely<Tables>): DeliveryTimes => {
  const read = prepareOnce<Times>(database, nextTimes(firstDueOf).compile(kysely).sql);
  return async () => read.get()!;
};
