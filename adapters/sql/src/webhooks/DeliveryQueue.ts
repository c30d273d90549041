import { type ClaimedDelivery, type Delivery, DeliveryQueue } from "@postern/core/webhooks";
import { Clock, Effect, Layer, Option } from "effect";
import { type SelectQueryBuilder, sql } from "kysely";
import { Database } from "../database/Database.ts";
import type { Tables } from "../tables/Tables.ts";
import { DELIVERY, type DeliveryRow } from "../tables/webhooks.ts";
import { eventOf } from "../tables/events.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import { insertDeliveries, putDeliveries } from "./delivery-rows.ts";
import { endpointOf } from "./endpoint-rows.ts";

/** Maximum number of endpoints that a claim serves. More would make the claim slow, and other queries would wait. */
const ENDPOINTS_AT_ONCE = 20;
/** Maximum number of deliveries claimed or reclaimed at a time. */
const MAX_AT_ONCE = 500;
/** Maximum number of overdue deliveries counted, because all other queries wait for the count. */
const MAX_COUNTED = 10_000;

/** The shortest lease of a delivery in milliseconds. */
const SHORTEST_LEASE = 1_000;

/** Deliveries in the table `delivery`, their attempts in `attempt`. */
export const layer: Layer.Layer<DeliveryQueue, never, Database> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const { query, together, lockRows, skipLocked, tableOf, wakeUp, isOursAlone, ...database } = yield* Database;
    const { claimDeliveries, settleDeliveries, deliveryTimes } = database;
    const { wake, changed } = wakeUp("delivery");

    // Remaining leases are from this process before its restart.
    if (isOursAlone) {
      yield* Effect.orDie(
        query((db) => db.updateTable("delivery").set({ lease_until: 0 }).where("state", "=", "in_flight").execute()),
      );
    }

    /** Locks rows in order, which prevents deadlocks. */
    const inOrder = (rows: SelectQueryBuilder<Tables, "delivery", object>, ids: ReadonlyArray<string>) =>
      lockRows(
        rows.select("id").where("id", "in", idsParameter(tableOf, ids)).where("state", "=", "in_flight").orderBy("id"),
      );

    /**
     * Wakes workers, because settled or reclaimed deliveries free capacity. Only this process needs the wake-up,
     * because it holds the claims.
     */
    const wakeFor = (deliveries: ReadonlyArray<Delivery>) => {
      const due = deliveries.flatMap(({ state, dueAt }) => (state === "pending" ? [dueAt] : []));
      return wake(due.length === 0 ? Infinity : Math.min(...due));
    };

    /** The time before which no lease ends, except for leases that other processes took after `seenAt`. */
    let [noneBefore, seenAt] = [-Infinity, -Infinity];
    const nextDue = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis;
      const times = yield* query((db) => deliveryTimes(db, now));
      [noneBefore, seenAt] = [times.lease ?? Infinity, now];
      const earliest = Math.min(noneBefore, times.due ?? Infinity);
      return earliest === Infinity ? Option.none() : Option.some(earliest);
    });

    const hasExpired = (now: number) =>
      now < Math.min(noneBefore, seenAt + SHORTEST_LEASE)
        ? Effect.succeed(false)
        : query((db) =>
            db
              .selectFrom("delivery")
              .select("id")
              // The state is a literal, because with a parameter SQLite would not use the partial index of claims.
              .where("state", "=", sql.lit("in_flight"))
              .where("lease_until", "<=", now)
              .limit(1)
              .executeTakeFirst(),
          ).pipe(Effect.map((row) => row !== undefined));

    const reapLost = Effect.fn("DeliveryQueue.reap")(function* (now: number, decide: (delivery: Delivery) => Delivery) {
      const { rows } = yield* query((db) =>
        sql<DeliveryRow>`
            select * from ${sql.table("delivery")} where state = 'in_flight' and lease_until <= ${now}
            order by lease_until limit ${MAX_AT_ONCE} ${skipLocked}`.execute(db),
      );
      const decided = rows.map((row) => decide(DELIVERY.recordOf(row)));
      if (decided.length === 0) return [];
      yield* query((db) => putDeliveries(tableOf, decided.map(DELIVERY.rowOf), "in_flight").execute(db));
      yield* wakeFor(decided);
      return decided;
    }, together);

    /**
     * The number of endpoints that a claim serves; fewer after a failed claim, so that the waiting deliveries of one
     * endpoint cannot block the others.
     */
    let endpointsNow = ENDPOINTS_AT_ONCE;

    const claim: DeliveryQueue["Service"]["claim"] = Effect.fn("DeliveryQueue.claim")(function* (
      now,
      { token, until: leaseUntil },
      limit,
    ) {
      const most = Math.min(limit, MAX_AT_ONCE);
      if (most <= 0) return [];
      noneBefore = Math.min(noneBefore, leaseUntil);
      const served = Math.min(endpointsNow, most);
      const isRetry = endpointsNow < ENDPOINTS_AT_ONCE;
      const { rows, endpoints } = yield* Effect.tapError(
        query((db) => claimDeliveries(db, { now, leaseUntil, token, limit: most, endpoints: served, isRetry })),
        () => Effect.sync(() => void (endpointsNow = Math.max(1, Math.floor(endpointsNow / 4)))),
      );
      endpointsNow = Math.min(ENDPOINTS_AT_ONCE, endpointsNow * 2);
      const byId = new Map((yield* Effect.forEach(endpoints, endpointOf)).map((endpoint) => [endpoint.id, endpoint]));
      return rows.map((row): ClaimedDelivery => ({
        endpoint: byId.get(row.endpoint_id)!,
        delivery: DELIVERY.recordOf(row),
        event: eventOf({ ...row, id: row.event_id }),
        attempt: (row.attempts ?? 0) + 1,
      }));
    });

    return DeliveryQueue.of({
      insert: Effect.fnUntraced(function* (deliveries) {
        if (deliveries.length === 0) return;
        yield* query((db) => insertDeliveries(db, tableOf, deliveries));
        yield* wake(Math.min(...deliveries.map(({ dueAt }) => dueAt)));
      }, Effect.uninterruptible),

      claim,

      renew: Effect.fn("DeliveryQueue.renew")(function* (ids, { token, until }) {
        const rows = yield* query((db) =>
          db
            .updateTable("delivery")
            .set({ lease_until: until })
            .where("id", "in", (inner) => inOrder(inner.selectFrom("delivery"), ids).where("lease_token", "=", token))
            .returning("id")
            .execute(),
        );
        return new Set(rows.map(({ id }) => id));
      }),

      release: Effect.fn("DeliveryQueue.release")(function* (ids, token, now) {
        if (ids.length === 0) return;
        yield* query((db) =>
          db
            .updateTable("delivery")
            .set({ state: "pending", lease_until: null, lease_token: null })
            .where("id", "in", ids)
            .where("state", "=", "in_flight")
            .where("lease_token", "=", token)
            .execute(),
        );
        yield* wake(now);
      }, Effect.uninterruptible),

      settle: Effect.fn("DeliveryQueue.settle")(function* (settled) {
        if (settled.length === 0) return new Set<string>();
        const ours = new Set(yield* query((db) => settleDeliveries(db, settled)));
        yield* wakeFor(settled.flatMap(({ delivery }) => (ours.has(delivery.id) ? [delivery] : [])));
        return ours;
      }, Effect.uninterruptible),

      hasExpired,
      reap: reapLost,
      nextDue,

      changed,

      countBacklog: Effect.fn("DeliveryQueue.countBacklog")(function* (now) {
        const { rows } = yield* query((db) =>
          sql<{ n: number }>`
            select count(*) as n from (
              select 1 from ${sql.table("endpoint")} e cross join ${sql.table("delivery")} d
              where d.endpoint_id = e.id and d.generation = e.generation and e.state = 'enabled' and d.state = 'pending' and d.due_at <= ${now} limit ${MAX_COUNTED}
            ) due`.execute(db),
        );
        return rows[0]!.n;
      }),
    });
  }),
);
