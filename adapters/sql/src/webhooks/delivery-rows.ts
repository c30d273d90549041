import type { EventType } from "@postern/core/events";
import { AccountId } from "@postern/core/shared";
import type { Attempt, Delivery, DeliveryErrorCode, DeliveryTrigger } from "@postern/core/webhooks";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { TableOf } from "../database/Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import type { AttemptRow, DeliveryRow } from "../tables/webhooks.ts";

/** Returns ids in a single parameter, so that the statement is the same for any number of ids. */
export const given = (tableOf: TableOf, ids: ReadonlyArray<string>): RawBuilder<string> =>
  sql<string>`(select id from ${tableOf(
    { id: "text" },
    ids.map((id) => ({ id })),
  )} given)`;

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  account: AccountId(row.account),
  type: row.type as EventType,
  occurredAt: row.occurred_at,
  position: row.position,
  endpointId: row.endpoint_id,
  generation: row.generation,
  trigger: row.trigger as DeliveryTrigger,
  state: row.state,
  step: row.step,
  dueAt: row.due_at,
  firstAttemptAt: row.first_attempt_at,
  leaseUntil: row.lease_until,
  leaseToken: row.lease_token,
  lostClaims: row.lost_claims,
});

export const deliveryRow = (delivery: Delivery): DeliveryRow => ({
  id: delivery.id,
  event_id: delivery.eventId,
  endpoint_id: delivery.endpointId,
  trigger: delivery.trigger,
  account: delivery.account,
  type: delivery.type,
  occurred_at: delivery.occurredAt,
  position: delivery.position,
  generation: delivery.generation,
  state: delivery.state,
  step: delivery.step,
  due_at: delivery.dueAt,
  first_attempt_at: delivery.firstAttemptAt,
  lease_until: delivery.leaseUntil,
  lease_token: delivery.leaseToken,
  lost_claims: delivery.lostClaims,
});

export const attemptOf = (row: AttemptRow): Attempt => ({
  deliveryId: row.delivery_id,
  n: row.n,
  startedAt: row.started_at,
  ms: row.ms,
  status: row.status,
  errorCode: row.error_code as DeliveryErrorCode | null,
  excerpt: row.excerpt,
  remoteIp: row.remote_ip,
});

export const attemptRow = (attempt: Attempt): AttemptRow => ({
  delivery_id: attempt.deliveryId,
  n: attempt.n,
  started_at: attempt.startedAt,
  ms: attempt.ms,
  status: attempt.status,
  error_code: attempt.errorCode,
  excerpt: attempt.excerpt,
  remote_ip: attempt.remoteIp,
});

const DELIVERY = {
  id: "text",
  event_id: "text",
  endpoint_id: "text",
  trigger: "text",
  account: "text",
  type: "text",
  occurred_at: "bigint",
  position: "bigint",
  generation: "bigint",
  state: "text",
  step: "bigint",
  due_at: "bigint",
  first_attempt_at: "bigint",
  lease_until: "bigint",
  lease_token: "text",
  lost_claims: "bigint",
} as const satisfies Record<keyof DeliveryRow, "text" | "bigint">;

const columnsOf = (table: object) => sql.join(Object.keys(table).map((name) => sql.ref(name)));

/** Inserts those deliveries that do not exist, in one statement. */
export const insertDeliveries = (db: Kysely<Tables>, tableOf: TableOf, deliveries: ReadonlyArray<Delivery>) =>
  sql`
    insert into ${sql.table("delivery")} (${columnsOf(DELIVERY)})
    select ${columnsOf(DELIVERY)} from ${tableOf(DELIVERY, deliveries.map(deliveryRow))} made
    where true on conflict (event_id, endpoint_id, trigger) do nothing`.execute(db);

const { id, state, generation, step, due_at, first_attempt_at, lost_claims } = DELIVERY;
const CHANGING = { id, state, generation, step, due_at, first_attempt_at, lost_claims };

/** Updates deliveries that still have this state. */
export const putDeliveries = (tableOf: TableOf, deliveries: ReadonlyArray<DeliveryRow>, were: DeliveryRow["state"]) =>
  sql`
    update ${sql.table("delivery")}
    set state = put.state, generation = put.generation, step = put.step, due_at = put.due_at,
      first_attempt_at = put.first_attempt_at, lost_claims = put.lost_claims, lease_until = null, lease_token = null
    from ${tableOf(CHANGING, deliveries)} put
    where delivery.id = put.id and delivery.state = ${were}`;

/** Deletes deliveries with their attempts. */
export const deleteDeliveries = async (db: Kysely<Tables>, tableOf: TableOf, ids: ReadonlyArray<string>) => {
  await db.deleteFrom("attempt").where("delivery_id", "in", given(tableOf, ids)).execute();
  await db.deleteFrom("delivery").where("id", "in", given(tableOf, ids)).execute();
};
