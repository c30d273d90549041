import type { KeyReach } from "@postern/core/auth";
import type { EventType } from "@postern/core/events";
import type { AccountId } from "@postern/core/shared";
import type { Kysely, SelectQueryBuilder } from "kysely";
import { compiledWith } from "../database/compiled-once.ts";
import type { LockRows } from "../database/Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import { type Condition, idsFor } from "./endpoint-owners.ts";
import type { EndpointRow } from "../tables/webhooks.ts";

/** Selects endpoints that are not removed. */
export const present = (db: Kysely<Tables>): SelectQueryBuilder<Tables, "endpoint", EndpointRow> =>
  db.selectFrom("endpoint").selectAll().where("removed_at", "is", null);

/** The endpoints that an event is for: the account's endpoints, and endpoints whose reach has one of the entries. */
interface ReachQuery {
  readonly events: string;
  readonly account: AccountId;
  readonly entries: KeyReach;
}

/** Returns the pattern that matches subscriptions to an event type. */
const subscriptionPattern = (type: EventType): string => `%"${type}"%`;

/** Finds endpoints that subscribe to an event type, and prevents their removal. */
export const subscriptions = (keepRows: LockRows) => {
  const subscribing = (db: Kysely<Tables>, events: string, narrow: Condition) =>
    keepRows(present(db).where(narrow).where("events", "like", events).orderBy("created_at").orderBy("id"));
  const selectReaching = compiledWith((db, { events, account, entries }: ReachQuery) =>
    subscribing(db, events, (row) =>
      entries.length === 0 ? row("account", "=", account) : row("id", "in", idsFor(row, account, entries)),
    ),
  );
  return {
    reaching: async (
      db: Kysely<Tables>,
      account: AccountId,
      entries: KeyReach,
      type: EventType,
    ): Promise<ReadonlyArray<EndpointRow>> =>
      (await selectReaching(db, { events: subscriptionPattern(type), account, entries })).rows,
    ofApplication: (db: Kysely<Tables>, application: string, type: EventType): Promise<ReadonlyArray<EndpointRow>> =>
      subscribing(db, subscriptionPattern(type), (row) => row("application", "=", application)).execute(),
  };
};
