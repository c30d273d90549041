import { outcomesOf } from "@postern/core/webhooks";
import type { DatabaseSync } from "node:sqlite";
import type { SettleDeliveries } from "../database/Engine.ts";
import { inOneStep, prepareOnce } from "./one-step.ts";

/** Returns the settlement over this database, in one synchronous step. */
export const deliverySettler = (database: DatabaseSync): SettleDeliveries => {
  const save = prepareOnce(
    database,
    `update delivery set state = ?, generation = ?, step = ?, due_at = ?, first_attempt_at = ?, lost_claims = ?,
      lease_until = null, lease_token = null
    where id = ? and state = 'in_flight' and lease_token = ?`,
  );
  const insert = prepareOnce(
    database,
    `insert into attempt (delivery_id, n, started_at, ms, status, error_code, excerpt, remote_ip, headers)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const record = prepareOnce(
    database,
    `update endpoint set last_delivery_at = ?1, last_status = ?2,
      last_success_at = case when ?3 is null then last_success_at else max(coalesce(last_success_at, 0), ?3) end,
      consecutive_failures = case when ?3 is null then consecutive_failures + ?4 else ?4 end
    where id = ?5 and removed_at is null`,
  );

  return async (_, settled) =>
    inOneStep(database, () => {
      const ours = settled.filter(({ delivery: one, token, attempt }) => {
        const { state, generation, step, dueAt, firstAttemptAt, lostClaims } = one;
        const saved = save.run(state, generation, step, dueAt, firstAttemptAt, lostClaims, one.id, token);
        if (saved === 0) return false;
        const { n, startedAt, ms, status, errorCode, excerpt, remoteIp, headers } = attempt;
        insert.run(one.id, n, startedAt, ms, status, errorCode, excerpt, remoteIp, headers);
        return true;
      });
      for (const { endpointId, lastDeliveryAt, lastStatus, lastSuccessAt, failures } of outcomesOf(ours)) {
        record.run(lastDeliveryAt, lastStatus, lastSuccessAt, failures, endpointId);
      }
      return ours.map(({ delivery }) => delivery.id);
    });
};
