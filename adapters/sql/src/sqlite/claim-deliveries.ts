import { sql } from "kysely";
import type { ClaimDeliveries } from "../Engine.ts";
import { headsOf } from "../webhooks/due-deliveries.ts";
import { given } from "../webhooks/delivery-rows.ts";
import { tableOf } from "./table-of.ts";

/** SQLite has one writer at a time, so a loop in a transaction is atomic. */
export const claimDeliveries: ClaimDeliveries = async (db, endpoints, { now, leaseUntil, token, limit }) => {
  const eligible = [];
  for (const { id, generation, ordered, room } of endpoints) {
    const waiting =
      ordered === 1
        ? headsOf(id, generation)
        : sql`select id, due_at from delivery where endpoint_id = ${id} and state = 'pending' and generation = ${generation}`;
    const { rows } = await sql<{ readonly id: string; readonly due_at: number }>`
      select id, due_at from (${waiting}) waiting where due_at <= ${now} order by due_at, id limit ${room}`.execute(db);
    eligible.push(...rows.map((row, rank) => ({ ...row, rank })));
  }
  const picked = eligible
    .toSorted((a, b) => a.rank - b.rank || a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
  await db
    .updateTable("endpoint")
    .set({ last_claimed_at: now })
    .where(
      "id",
      "in",
      endpoints.map(({ id }) => id),
    )
    .execute();
  if (picked.length === 0) return [];
  const ids = given(tableOf, picked);
  await db
    .updateTable("delivery")
    .set((row) => ({
      state: "in_flight",
      lease_until: leaseUntil,
      lease_token: token,
      first_attempt_at: row.fn.coalesce("first_attempt_at", row.val(now)),
    }))
    .where("id", "in", ids)
    .execute();
  return db
    .selectFrom("delivery")
    .innerJoin("event", "event.id", "delivery.event_id")
    .where("delivery.id", "in", ids)
    .selectAll("delivery")
    .select("event.body")
    .select((row) =>
      row
        .selectFrom("attempt")
        .whereRef("attempt.delivery_id", "=", "delivery.id")
        .select((all) => all.fn.max("attempt.n").as("n"))
        .as("attempts"),
    )
    .execute();
};
