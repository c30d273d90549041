import { type Attempt, DeliveryLog, type Endpoint, type LoggedDelivery } from "@postern/core";
import { Clock, Effect, Layer, Option } from "effect";
import type { ExpressionBuilder } from "kysely";
import { Database } from "../../Database.ts";
import type { DeliveryRow, Tables } from "../../Tables.ts";
import { attemptOf, deliveryOf, deliveryRow, given, putDeliveries } from "./delivery-rows.ts";

/** The log of deliveries over the tables `delivery`, `attempt` and `event` (decisions 7). */
export const DeliveryLogInSql: Layer.Layer<DeliveryLog, never, Database> = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const { query, tableOf, wakeUp } = yield* Database;
    const { ring } = wakeUp("delivery");

    /** With their attempts, in one query more. */
    const logged = Effect.fnUntraced(function* (rows: ReadonlyArray<DeliveryRow>) {
      if (rows.length === 0) return [];
      const attempts = yield* query((db) =>
        db
          .selectFrom("attempt")
          .selectAll()
          .where(
            "delivery_id",
            "in",
            rows.map(({ id }) => id),
          )
          .orderBy("n")
          .execute(),
      );
      const byDelivery = Map.groupBy(attempts.map(attemptOf), ({ deliveryId }: Attempt) => deliveryId);
      return rows.map((row): LoggedDelivery => ({
        delivery: deliveryOf(row),
        attempts: byDelivery.get(row.id) ?? [],
      }));
    });

    return DeliveryLog.of({
      page: Effect.fn("DeliveryLog.page")(function* (endpoint, { state, type, before }, limit) {
        if (before?.includes("\0") === true) return [];
        const rows = yield* query((db) =>
          db
            .selectFrom("delivery")
            .selectAll()
            .where("endpoint_id", "=", endpoint.id)
            .$if(before !== undefined, (some) => some.where("id", "<", before!))
            .$if(type !== undefined, (some) => some.where("type", "=", type!))
            .$if(state !== undefined, (some) => some.where((row) => isIn(row, state!, endpoint)))
            .orderBy("id", "desc")
            .limit(limit)
            .execute(),
        );
        return yield* logged(rows);
      }),

      find: Effect.fn("DeliveryLog.find")(function* (endpointId, id) {
        if (id.includes("\0")) return Option.none();
        const rows = yield* query((db) =>
          db.selectFrom("delivery").selectAll().where("endpoint_id", "=", endpointId).where("id", "=", id).execute(),
        );
        return Option.fromUndefinedOr((yield* logged(rows))[0]);
      }),

      ofEvents: Effect.fn("DeliveryLog.ofEvents")(function* (endpointId, eventIds) {
        const rows = yield* query((db) =>
          db
            .selectFrom("delivery")
            .selectAll()
            .where("event_id", "in", given(tableOf, eventIds))
            .where("endpoint_id", "=", endpointId)
            .orderBy("id")
            .execute(),
        );
        return rows.map(deliveryOf);
      }),

      replayable: Effect.fn("DeliveryLog.replayable")(function* (endpointId, { since, until, after }, limit) {
        const rows = yield* query((db) =>
          db
            .selectFrom("delivery")
            .select(["event_id", "occurred_at", "position"])
            .distinct()
            .where("endpoint_id", "=", endpointId)
            .where("state", "in", ["pending", "exhausted"])
            .where("occurred_at", ">=", since)
            .where("occurred_at", "<", until)
            .$if(after !== null, (some) =>
              some.where((row) =>
                row.or([
                  row("occurred_at", ">", after!.occurredAt),
                  row("occurred_at", "=", after!.occurredAt).and("position", ">", after!.position),
                ]),
              ),
            )
            .orderBy("occurred_at")
            .orderBy("position")
            .limit(limit)
            .execute(),
        );
        return rows.map((row) => ({
          eventId: row.event_id,
          occurredAt: row.occurred_at,
          position: row.position,
        }));
      }),

      revise: Effect.fn("DeliveryLog.revise")(function* (deliveries) {
        if (deliveries.length === 0) return;
        yield* query((db) => putDeliveries(tableOf, deliveries.map(deliveryRow), "pending").execute(db));
        yield* Effect.flatMap(Clock.currentTimeMillis, ring);
      }),
    });
  }),
);

/** Held is what waits and will not be sent: no column says so. */
const isIn = (
  row: ExpressionBuilder<Tables, "delivery">,
  state: DeliveryRow["state"] | "held",
  { state: endpointState, generation }: Endpoint,
) => {
  if (state !== "held" && state !== "pending") return row("state", "=", state);
  const waits = row("state", "=", "pending");
  if (endpointState === "disabled") return state === "held" ? waits : row.and([waits, row.lit(false)]);
  return row.and([waits, row("generation", state === "held" ? "!=" : "=", generation)]);
};
