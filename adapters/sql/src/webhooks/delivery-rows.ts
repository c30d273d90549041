import type { Delivery } from "@postern/core/webhooks";
import { type Kysely, sql } from "kysely";
import type { TableOf } from "../database/Engine.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import type { Tables } from "../tables/Tables.ts";
import { DELIVERY, type DeliveryRow } from "../tables/webhooks.ts";

const COLUMNS = sql.join(Object.keys(DELIVERY.types).map((name) => sql.ref(name)));

/** Inserts the deliveries that do not exist yet, in one statement. */
export const insertDeliveries = (db: Kysely<Tables>, tableOf: TableOf, deliveries: ReadonlyArray<Delivery>) =>
  sql`
    insert into ${sql.table("delivery")} (${COLUMNS})
    select ${COLUMNS} from ${tableOf(DELIVERY.types, deliveries.map(DELIVERY.rowOf))} made
    where true on conflict (event_id, endpoint_id, trigger) do nothing`.execute(db);

const { id, state, generation, step, due_at, first_attempt_at, lost_claims } = DELIVERY.types;
const CHANGED_COLUMNS = { id, state, generation, step, due_at, first_attempt_at, lost_claims };

/** Updates deliveries that still have this state. */
export const putDeliveries = (tableOf: TableOf, deliveries: ReadonlyArray<DeliveryRow>, were: DeliveryRow["state"]) =>
  sql`
    update ${sql.table("delivery")}
    set state = put.state, generation = put.generation, step = put.step, due_at = put.due_at,
      first_attempt_at = put.first_attempt_at, lost_claims = put.lost_claims, lease_until = null, lease_token = null
    from ${tableOf(CHANGED_COLUMNS, deliveries)} put
    where delivery.id = put.id and delivery.state = ${were}`;

/** Deletes deliveries with their attempts. */
export const deleteDeliveries = async (db: Kysely<Tables>, tableOf: TableOf, ids: ReadonlyArray<string>) => {
  await db.deleteFrom("attempt").where("delivery_id", "in", idsParameter(tableOf, ids)).execute();
  await db.deleteFrom("delivery").where("id", "in", idsParameter(tableOf, ids)).execute();
};
