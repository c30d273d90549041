import { type ClaimedDelivery, type Delivery, DeliveryQueue, type SettledClaim } from "@postern/core";
import { Clock, Effect, Layer, Option } from "effect";
import { sql } from "kysely";
import { Database } from "../../Database.ts";
import { eventOf } from "../EventLedgerInSql.ts";
import type { DeliveryRow, EndpointRow } from "../../Tables.ts";
import { deliveryOf, deliveryRow, inChunks, insertAttempts, putDeliveries, ROWS_AT_ONCE } from "./delivery-rows.ts";
import { firstDueOf, roomOf } from "./due-deliveries.ts";
import { endpointOf } from "./endpoint-rows.ts";

/** Endpoints a claim looks at, and locks. */
const ENDPOINTS_AT_ONCE = 100;

/** Deliveries in the table `delivery`, what was tried in `attempt` (design: claim, settle, wake). */
export const DeliveryQueueInSql: Layer.Layer<DeliveryQueue, never, Database> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const { query, transaction, lockRows, skipLocked, claimDeliveries, tableOf, wakeUp, isOursAlone } = yield* Database;
    const { ring, rung } = wakeUp("delivery");

    // Whoever held a lease was this process before it ended.
    if (isOursAlone) {
      yield* Effect.orDie(
        query((db) => db.updateTable("delivery").set({ lease_until: 0 }).where("state", "=", "in_flight").execute()),
      );
    }

    const put = Effect.fnUntraced(function* (deliveries: ReadonlyArray<Delivery>) {
      for (const chunk of inChunks(deliveries)) yield* query((db) => putDeliveries(db, tableOf, chunk, "in_flight"));
      const due = deliveries.flatMap(({ state, dueAt }) => (state === "pending" ? [dueAt] : []));
      // What was settled made room, which is news to this process alone: it holds the claims.
      yield* ring(due.length === 0 ? Infinity : Math.min(...due));
    });

    /** By itself, because there is seldom anything to take back. */
    const hasLost = (now: number) =>
      query((db) =>
        db
          .selectFrom("delivery")
          .select("id")
          .where("state", "=", "in_flight")
          .where("lease_until", "<=", now)
          .limit(1)
          .executeTakeFirst(),
      ).pipe(Effect.map((row) => row !== undefined));

    const takeBack = Effect.fn("DeliveryQueue.reap")(function* (now: number, decide: (delivery: Delivery) => Delivery) {
      const { rows } = yield* query((db) =>
        sql<DeliveryRow>`
            select * from delivery where state = 'in_flight' and lease_until <= ${now}
            order by id limit ${ROWS_AT_ONCE} ${skipLocked}`.execute(db),
      );
      const decided = rows.map((row) => decide(deliveryOf(row)));
      if (decided.length > 0) yield* put(decided);
      return decided;
    }, transaction);

    const claim: DeliveryQueue["Service"]["claim"] = Effect.fn("DeliveryQueue.claim")(function* (
      now,
      { token, millis },
      limit,
    ) {
      const most = Math.min(limit, ROWS_AT_ONCE);
      if (most <= 0) return [];
      const { rows: endpoints } = yield* query((db) =>
        sql<EndpointRow>`
            select e.* from endpoint e
            where e.state = 'enabled' and ${firstDueOf} <= ${now} and ${roomOf} > 0
            order by e.last_claimed_at nulls first, e.id limit ${Math.min(ENDPOINTS_AT_ONCE, most)} ${skipLocked}
          `.execute(db),
      );
      if (endpoints.length === 0) return [];
      const rows = yield* query((db) =>
        claimDeliveries(db, endpoints, { now, leaseUntil: now + millis, token, limit: most }),
      );
      if (rows.length === 0) return [];
      const byId = new Map(endpoints.map((row) => [row.id, endpointOf(row)]));
      const ids = rows.map(({ id }) => id);
      const contents = yield* query((db) =>
        db
          .selectFrom("delivery")
          .innerJoin("event", "event.id", "delivery.event_id")
          .where("delivery.id", "in", ids)
          .selectAll("event")
          .select("delivery.id as delivery_id")
          .select((row) =>
            row
              .selectFrom("attempt")
              .whereRef("attempt.delivery_id", "=", "delivery.id")
              .select((all) => all.fn.max("attempt.n").as("n"))
              .as("attempts"),
          )
          .execute(),
      );
      const contentOf = new Map(contents.map((row) => [row.delivery_id, row]));
      return rows.map((row): ClaimedDelivery => {
        const content = contentOf.get(row.id)!;
        const [endpoint, delivery] = [byId.get(row.endpoint_id)!, deliveryOf(row)];
        return { endpoint, delivery, event: eventOf(content), attempt: (content.attempts ?? 0) + 1 };
      });
    }, transaction);

    return DeliveryQueue.of({
      insert: Effect.fnUntraced(function* (deliveries) {
        for (const chunk of inChunks(deliveries)) {
          yield* query((db) =>
            db
              .insertInto("delivery")
              .values(chunk.map(deliveryRow))
              .onConflict((conflict) => conflict.columns(["event_id", "endpoint_id", "trigger"]).doNothing())
              .execute(),
          );
        }
        if (deliveries.length > 0) yield* ring(Math.min(...deliveries.map(({ dueAt }) => dueAt)));
      }),

      claim,

      renew: Effect.fn("DeliveryQueue.renew")(function* (id, token, until) {
        const { numUpdatedRows } = yield* query((db) =>
          db
            .updateTable("delivery")
            .set({ lease_until: until })
            .where("id", "=", id)
            .where("state", "=", "in_flight")
            .where("lease_token", "=", token)
            .executeTakeFirstOrThrow(),
        );
        return numUpdatedRows === 1n;
      }),

      release: Effect.fn("DeliveryQueue.release")(function* (ids, token) {
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
        yield* Effect.flatMap(Clock.currentTimeMillis, ring);
      }),

      settle: Effect.fn("DeliveryQueue.settle")(function* (settlements) {
        const tokens = new Map(settlements.map(({ delivery, token }) => [delivery.id, token]));
        const rows = yield* query((db) =>
          lockRows(
            db
              .selectFrom("delivery")
              .select(["id", "lease_token"])
              .where("id", "in", [...tokens.keys()])
              .where("state", "=", "in_flight")
              .orderBy("id"),
          ).execute(),
        );
        const ours = new Set(rows.flatMap((row) => (tokens.get(row.id) === row.lease_token ? [row.id] : [])));
        const kept = settlements.filter(({ delivery }: SettledClaim) => ours.has(delivery.id));
        yield* put(kept.map(({ delivery }) => delivery));
        for (const chunk of inChunks(kept)) {
          const attempts = chunk.map(({ attempt }) => attempt);
          yield* query((db) => insertAttempts(db, tableOf, attempts));
        }
        return ours;
      }, transaction),

      reap: Effect.fnUntraced(function* (now, decide) {
        if (!(yield* hasLost(now))) return [];
        return yield* takeBack(now, decide);
      }),
      nextDue: query(async (db) => {
        const { rows } = await sql<{ at: number | null }>`
          select min(at) as at from (
            select min(lease_until) as at from delivery where state = 'in_flight'
            union all
            select min(due) from (
              select ${firstDueOf} as due from endpoint e where e.state = 'enabled' and ${roomOf} > 0
            ) first
          ) look`.execute(db);
        return Option.fromNullOr(rows[0]?.at ?? null);
      }),

      changed: rung,

      backlog: Effect.fn("DeliveryQueue.backlog")(function* (now) {
        const { rows } = yield* query((db) =>
          sql<{ n: number }>`
            select count(*) as n from endpoint e
            join delivery d on d.endpoint_id = e.id and d.generation = e.generation
            where e.state = 'enabled' and d.state = 'pending' and d.due_at <= ${now}`.execute(db),
        );
        return rows[0]!.n;
      }),
    });
  }),
);
