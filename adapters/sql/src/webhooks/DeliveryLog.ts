import { yieldToOthers } from "@postern/core/shared";
import {
  type Attempt,
  type DeliveryFilter,
  DeliveryLog,
  type Endpoint,
  isHeld,
  type LoggedDelivery,
} from "@postern/core/webhooks";
import { Clock, Effect, Layer, Option } from "effect";
import { sql } from "kysely";
import { Database } from "../database/Database.ts";
import { ATTEMPT, DELIVERY, type DeliveryRow } from "../tables/webhooks.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import { putDeliveries } from "./delivery-rows.ts";

/** The number of rows that one query reads. */
const SLICE = 500;
const STATES = ["pending", "held", "in_flight", "succeeded", "exhausted", "cancelled"] as const;

/** The log of deliveries over the tables `delivery`, `attempt` and `event` (spec 7). */
export const layer: Layer.Layer<DeliveryLog, never, Database> = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const { query, tableOf, wakeUp } = yield* Database;
    const { wake } = wakeUp("delivery");

    /** Adds the attempts to rows by one more query. */
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
      const byDelivery = Map.groupBy(attempts.map(ATTEMPT.recordOf), ({ deliveryId }: Attempt) => deliveryId);
      return rows.map((row): LoggedDelivery => ({
        delivery: DELIVERY.recordOf(row),
        attempts: byDelivery.get(row.id) ?? [],
      }));
    });

    /** Finds the matching ids, newest first, with one index. Generations are not in the index, so the rows are filtered in slices. */
    const idsOf = Effect.fnUntraced(function* (
      endpoint: Endpoint,
      { state, type, before }: DeliveryFilter,
      limit: number,
    ) {
      const kept = state === "held" ? "pending" : state;
      const isWanted = ({ generation }: Pick<DeliveryRow, "generation">) =>
        kept !== "pending" || isHeld({ state: kept, generation }, endpoint) === (state === "held");
      const found: Array<string> = [];
      for (let after = before; found.length < limit; yield* yieldToOthers) {
        const slice = yield* query((db) =>
          db
            .selectFrom("delivery")
            .select(["id", "generation"])
            .where("endpoint_id", "=", endpoint.id)
            .$if(kept !== undefined, (some) => some.where("state", "=", kept!))
            .$if(type !== undefined, (some) => some.where("type", "=", type!))
            .$if(after !== undefined, (some) => some.where("id", "<", after!))
            .orderBy("id", "desc")
            .limit(SLICE)
            .execute(),
        );
        found.push(...slice.filter(isWanted).map(({ id }) => id));
        if (slice.length < SLICE) break;
        after = slice.at(-1)!.id;
      }
      return found.slice(0, limit);
    });

    return DeliveryLog.of({
      page: Effect.fn("DeliveryLog.page")(function* (endpoint, { state, type, before }, limit) {
        if (before?.includes("\0") === true) return [];
        const ids =
          state === undefined && type !== undefined
            ? (yield* Effect.forEach(STATES, (each) => idsOf(endpoint, { state: each, type, before }, limit))).flat()
            : yield* idsOf(endpoint, { state, type, before }, limit);
        const newest = ids.toSorted().toReversed().slice(0, limit);
        const rows = yield* query((db) =>
          db
            .selectFrom("delivery")
            .selectAll()
            .where("id", "in", idsParameter(tableOf, newest))
            .orderBy("id", "desc")
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
            .where("event_id", "in", idsParameter(tableOf, eventIds))
            .where("endpoint_id", "=", endpointId)
            .execute(),
        );
        // The rows are sorted here, because SQLite would read all deliveries of the endpoint for this order.
        return rows.map(DELIVERY.recordOf).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      }),

      listReplayable: Effect.fn("DeliveryLog.listReplayable")(function* (endpointId, { since, until, after }, limit) {
        const rows = yield* query((db) =>
          db
            .selectFrom("delivery")
            .select(["event_id", "occurred_at", "position"])
            .distinct()
            .where("endpoint_id", "=", endpointId)
            .where(sql<boolean>`coalesce(state, '') in ('pending', 'exhausted')`)
            .where("occurred_at", "<", until)
            // The lower bound is a single comparison; with two comparisons SQLite would start at `since` for each
            // slice.
            .where(
              after === null
                ? sql<boolean>`occurred_at >= ${since}`
                : sql<boolean>`(occurred_at, position, event_id) > (${after.occurredAt}, ${after.position}, ${after.eventId})`,
            )
            .orderBy("occurred_at")
            .orderBy("position")
            .orderBy("event_id")
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
        yield* query((db) => putDeliveries(tableOf, deliveries.map(DELIVERY.rowOf), "pending").execute(db));
        yield* Effect.flatMap(Clock.currentTimeMillis, wake);
      }, Effect.uninterruptible),
    });
  }),
);
