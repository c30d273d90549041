import type { DatabaseSync } from "node:sqlite";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ClaimDeliveries, ClaimedRow, Durability } from "../database/Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import type { EndpointRow } from "../tables/webhooks.ts";
import { firstDueOf, headsOf, selectServable } from "../webhooks/due-deliveries.ts";
import { inOneStep, prepareOnce } from "./one-step.ts";

interface Due {
  readonly id: string;
  readonly due_at: number;
}

/**
 * Returns a function that claims deliveries in this database in one synchronous step. The commit of the claim need not
 * reach the disk before the POST, because a power failure that undoes the claim has the same effect as an expired
 * lease: the delivery is due again. The commits on which the claim is based must be on disk before the POST.
 */
export const deliveryClaimer = (
  database: DatabaseSync,
  kysely: Kysely<Tables>,
  durability: Durability | undefined,
): ClaimDeliveries => {
  const parameter = <A>(n: number): RawBuilder<A> => sql.raw(`?${n}`);
  const prepared = <Row>(statement: RawBuilder<Row>) => prepareOnce<Row>(database, statement.compile(kysely).sql);
  const served = prepared(selectServable(firstDueOf, parameter(1), parameter(2)));
  const dueOf = (waiting: RawBuilder<Due>) =>
    prepared(sql<Due>`
      select id, due_at from (${waiting}) waiting where due_at <= ${parameter(3)} order by due_at, id
      limit ${parameter(4)}`);
  const dueInOrder = dueOf(headsOf(parameter<string>(1), parameter<number>(2)));
  const due = dueOf(sql`select id, due_at from delivery
    where endpoint_id = ${parameter(1)} and state = 'pending' and generation = ${parameter(2)}`);
  const touch = prepareOnce(database, "update endpoint set last_claimed_at = ? where id = ?");
  const lease = prepareOnce(
    database,
    `update delivery set state = 'in_flight', lease_until = ?1, lease_token = ?2,
      first_attempt_at = coalesce(first_attempt_at, ?3)
    where id = ?4`,
  );
  const read = prepareOnce<ClaimedRow>(
    database,
    `select delivery.*, event.body, (select max(n) from attempt where delivery_id = delivery.id) as attempts
    from delivery join event on event.id = delivery.event_id where delivery.id = ?`,
  );

  const eligible = (endpoints: ReadonlyArray<EndpointRow & { readonly room: number }>, now: number) =>
    endpoints
      .flatMap(({ id, generation, ordered, room }) =>
        (ordered === 1 ? dueInOrder : due).all(id, generation, now, room).map((row, rank) => ({ ...row, rank })),
      )
      .toSorted((a, b) => a.rank - b.rank || a.due_at - b.due_at || (a.id < b.id ? -1 : 1));

  return async (_, { now, leaseUntil, token, limit, endpoints: most }) => {
    const endpoints = served.all(now, most);
    if (endpoints.length === 0) return { endpoints: [], rows: [] };
    const isWhole = !database.isTransaction;
    const claimed = inOneStep(database, () => {
      const rows = eligible(endpoints, now)
        .slice(0, limit)
        .flatMap(({ id }) => {
          lease.run(leaseUntil, token, now, id);
          return read.get(id) ?? [];
        });
      for (const { id } of endpoints) touch.run(now, id);
      return { endpoints, rows };
    });
    if (isWhole) durability?.overlook();
    return claimed;
  };
};
