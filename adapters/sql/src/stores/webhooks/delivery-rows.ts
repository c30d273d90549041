import type { Attempt, Delivery, DeliveryErrorCode, DeliveryTrigger } from "@postern/core";
import { type Kysely, sql } from "kysely";
import type { AttemptRow, DeliveryRow, Tables } from "../../Tables.ts";

/** Rows a statement is given at a time: their values stay below what either database takes. */
export const ROWS_AT_ONCE = 500;

export const inChunks = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / ROWS_AT_ONCE) }, (_, n) =>
    all.slice(n * ROWS_AT_ONCE, (n + 1) * ROWS_AT_ONCE),
  );

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  occurredAt: row.occurred_at,
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
  occurred_at: delivery.occurredAt,
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

/** Puts deliveries in place that were in this state and are no more, in one statement. */
export const putDeliveries = (db: Kysely<Tables>, deliveries: ReadonlyArray<Delivery>, were: DeliveryRow["state"]) => {
  const values = deliveries.map(
    (one) => sql`(${one.id}, ${one.state}, cast(${one.generation} as bigint), cast(${one.step} as integer),
      cast(${one.dueAt} as bigint), cast(${one.firstAttemptAt} as bigint), cast(${one.lostClaims} as integer))`,
  );
  return sql`
    with put(id, state, generation, step, due_at, first_attempt_at, lost_claims) as (values ${sql.join(values)})
    update delivery
    set state = put.state, generation = put.generation, step = put.step, due_at = put.due_at,
      first_attempt_at = put.first_attempt_at, lost_claims = put.lost_claims, lease_until = null, lease_token = null
    from put where delivery.id = put.id and delivery.state = ${were}`.execute(db);
};
