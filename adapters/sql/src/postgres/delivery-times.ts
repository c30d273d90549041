import { sql } from "kysely";
import type { DeliveryTimes } from "../database/Engine.ts";
import { roomOf } from "../webhooks/due-deliveries.ts";
import type { DatabaseFunction } from "./DatabaseFunction.ts";
import { endpointOf, firstDue, isDue, NO_SORTS, waitingEndpoints } from "./due-deliveries.ts";

/**
 * The function behind `DeliveryTimes`. It first looks for a delivery that is due at `$1`, because such a delivery is
 * usually found quickly among any number of endpoints.
 */
export const timesFunction: DatabaseFunction = {
  name: "next_delivery_times",
  takes: ["bigint"],
  answers: "table (next_lease bigint, next_due bigint)",
  settings: NO_SORTS,
  // With several snapshots, a delivery that is claimed in between would be neither in flight nor due.
  volatility: "stable",
  body: sql`
    declare
      lease bigint := (select lease_until from delivery where state = 'in_flight' order by lease_until limit 1);
    begin
      if exists (
        select 1 from (${waitingEndpoints}) waiting ${endpointOf(sql`waiting.id`)}
        where e.state = 'enabled' and ${roomOf} > 0 and ${isDue(sql.raw("$1"))}
      ) then
        return query select lease, $1;
      else
        return query select lease, min(${firstDue}) from (${waitingEndpoints}) waiting ${endpointOf(sql`waiting.id`)}
          where e.state = 'enabled' and ${roomOf} > 0;
      end if;
    end`,
};

export const deliveryTimes: DeliveryTimes = async (db, now) => {
  const { rows } = await sql<Awaited<ReturnType<DeliveryTimes>>>`
    select next_lease as lease, next_due as due from ${sql.table(timesFunction.name)}(${now})`.execute(db);
  return rows[0]!;
};
