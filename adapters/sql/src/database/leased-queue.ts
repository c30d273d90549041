import type { Lease, StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./Database.ts";
import type { LeasedRow } from "../tables/LeasedRow.ts";
import type { Tables } from "../tables/Tables.ts";

/** The tables with leased rows. */
type LeasedTable = { [T in keyof Tables]: Tables[T] extends LeasedRow ? T : never }[keyof Tables];

/** The rule that decides which due rows of a table may be claimed. */
export interface ClaimRule {
  /** Selects the ids of rows to claim now; selects no rows only if no row may be claimed. */
  readonly ids: (now: number, limit: number) => RawBuilder<unknown>;
  /**
   * Selects `due_at`, the time at which the next row may be claimed, and `withholds`, whether the rule withholds any
   * row.
   */
  readonly nextDue: RawBuilder<NextDue>;
}

interface NextDue {
  readonly due_at: number | null;
  readonly withholds: number;
}

/** The rows of a table, each processed by the worker that leases it. Times in epoch milliseconds. */
export interface LeasedQueue<Row> {
  /** Leases rows that are due or whose lease expired, earliest first; no row goes to two workers. */
  readonly claim: (now: number, lease: Lease, limit: number) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>;
  /** Leases one row, due or not, unless another worker holds it. */
  readonly claimOne: (id: string, now: number, lease: Lease) => Effect.Effect<Option.Option<Row>, StoreUnavailable>;
  /** Extends the leases with this token; returns the ids of the rows still held. */
  readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
  /** Returns rows with this token to the queue, due at `now`. */
  readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
  /** Ends a lease and sets the next due time of the row; returns false if the lease was lost. */
  readonly postpone: (id: string, token: string, dueAt: number | null) => Effect.Effect<boolean, StoreUnavailable>;
  /** The time at which the next row may be claimed. */
  readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
  /** Announces that a row may be due earlier than `nextDue` returned, at that time; see `WakeUp.wake`. */
  readonly wake: (dueAt: number) => Effect.Effect<void>;
  /**
   * Announces that a row is no longer leased, so that workers try to claim a row that the rule of the queue withheld
   * until then.
   */
  readonly madeRoom: Effect.Effect<void>;
  /** Waits for a change, see `WakeUp.changed`; for a worker that called `nextDue` and sleeps until then. */
  readonly changed: Effect.Effect<void>;
}

/**
 * Returns the queue over a table. `due_at` is the time at which a row may be claimed, either because it is due or
 * because its lease expires. The token fences off a worker that lost its lease: writes with an old token have no
 * effect.
 */
export const leasedQueue = Effect.fnUntraced(function* <T extends LeasedTable>(
  { query, skipLocked, wakeUp, isOursAlone }: Database["Service"],
  name: T,
  rule: ClaimRule = everyDueRow(name, skipLocked),
): Effect.fn.Return<LeasedQueue<Tables[T]>, StoreUnavailable> {
  const table = sql.table(name);
  let nextKnown = Infinity;
  let withholds = false;
  const { wake: wakeHere } = wakeUp(name);
  const { wake, changed } = wakeUp(name, () => nextKnown);

  // Leases that remain are from this process before its restart.
  if (isOursAlone) yield* query((db) => sql`update ${table} set due_at = 0 where lease_token is not null`.execute(db));

  const changedOne = (count: bigint | undefined): boolean => count === 1n;

  return {
    claim: (now, { token, until }, limit) =>
      query(async (db) => {
        const { rows } = await sql<Tables[T]>`
          with picked as (${rule.ids(now, limit)})
          update ${table} set lease_token = ${token}, due_at = ${until}
          where id in (select id from picked) returning *`.execute(db);
        return rows;
      }),

    claimOne: (id, now, { token, until }) =>
      query(async (db) => {
        const { rows } = await sql<Tables[T]>`
          update ${table} set lease_token = ${token}, due_at = ${until}
          where id = ${id} and (lease_token is null or due_at <= ${now}) returning *`.execute(db);
        return Option.fromUndefinedOr(rows[0]);
      }),

    renew: (ids, { token, until }) =>
      query(async (db) => {
        const { rows } = await sql<{ readonly id: string }>`
          update ${table} set due_at = ${until}
          where id in (${sql.join(ids)}) and lease_token = ${token} returning id`.execute(db);
        return new Set(rows.map(({ id }) => id));
      }),

    release: (ids, token, now) =>
      Effect.uninterruptible(
        Effect.andThen(
          query((db) =>
            sql`
            update ${table} set lease_token = null, due_at = ${now}
            where id in (${sql.join(ids)}) and lease_token = ${token}`.execute(db),
          ),
          wake(now),
        ),
      ),

    postpone: (id, token, dueAt) =>
      query(async (db) => {
        const { numAffectedRows } = await sql`
          update ${table} set lease_token = null, due_at = ${dueAt}
          where id = ${id} and lease_token = ${token}`.execute(db);
        return changedOne(numAffectedRows);
      }),

    nextDue: Effect.suspend(() => {
      // The query may miss rows that are committed during its run.
      nextKnown = Infinity;
      withholds = true;
      return query(async (db) => {
        const { rows } = await rule.nextDue.execute(db);
        const dueAt = rows[0]?.due_at ?? null;
        nextKnown = dueAt ?? Infinity;
        withholds = rows[0]?.withholds === 1;
        return Option.fromNullOr(dueAt);
      });
    }),

    wake,
    // Only this process needs the wake-up, because it held the lease.
    madeRoom: Effect.suspend(() => (withholds ? wakeHere(Infinity) : Effect.void)),
    changed,
  };
});

const everyDueRow = (name: LeasedTable, skipLocked: RawBuilder<unknown>): ClaimRule => {
  const table = sql.table(name);
  return {
    ids: (now, limit) => sql`
      select id from ${table} where due_at <= ${now} order by due_at, id limit ${limit} ${skipLocked}`,
    nextDue: sql`select min(due_at) as due_at, 0 as withholds from ${table} where due_at is not null`,
  };
};
