import type { Attempt, Delivery, DeliveryErrorCode, DeliveryTrigger } from "@postern/core";
import { type Kysely, sql } from "kysely";
import type { TableOf } from "../../Engine.ts";
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

const attemptRow = (attempt: Attempt): AttemptRow => ({
  delivery_id: attempt.deliveryId,
  n: attempt.n,
  started_at: attempt.startedAt,
  ms: attempt.ms,
  status: attempt.status,
  error_code: attempt.errorCode,
  excerpt: attempt.excerpt,
  remote_ip: attempt.remoteIp,
});

const CHANGING = {
  id: "text",
  state: "text",
  generation: "bigint",
  step: "bigint",
  due_at: "bigint",
  first_attempt_at: "bigint",
  lost_claims: "bigint",
} as const;

/** Puts deliveries in place that were in this state and are no more, in one statement. */
export const putDeliveries = (
  db: Kysely<Tables>,
  tableOf: TableOf,
  deliveries: ReadonlyArray<Delivery>,
  were: DeliveryRow["state"],
) =>
  sql`
    update delivery
    set state = put.state, generation = put.generation, step = put.step, due_at = put.due_at,
      first_attempt_at = put.first_attempt_at, lost_claims = put.lost_claims, lease_until = null, lease_token = null
    from ${tableOf(CHANGING, deliveries.map(deliveryRow))} put
    where delivery.id = put.id and delivery.state = ${were}`.execute(db);

const ATTEMPT = {
  delivery_id: "text",
  n: "bigint",
  started_at: "bigint",
  ms: "bigint",
  status: "bigint",
  error_code: "text",
  excerpt: "text",
  remote_ip: "text",
} as const;

/** Writes attempts down in one statement. */
export const insertAttempts = (db: Kysely<Tables>, tableOf: TableOf, attempts: ReadonlyArray<Attempt>) => {
  const columns = sql.join(Object.keys(ATTEMPT).map((name) => sql.ref(name)));
  const rows = tableOf(ATTEMPT, attempts.map(attemptRow));
  return sql`insert into attempt (${columns}) select ${columns} from ${rows} made`.execute(db);
};
