import type { EventType } from "@postern/core/events";
import { AccountId } from "@postern/core/shared";
import { type Endpoint, endpointEventsJson, endpointReachJson, type EndpointOwner } from "@postern/core/webhooks";
import { Effect, Option } from "effect";
import { type Kysely, sql } from "kysely";
import type { TableOf } from "../database/Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import { readJson } from "../database/read-json.ts";
import type { EndpointRow } from "../tables/webhooks.ts";

/** Returns the endpoint of a row. If its events cannot be read, it has none until its owner chooses again. */
export const endpointOf = (row: EndpointRow): Effect.Effect<Endpoint> =>
  Effect.map(Effect.all([eventsOf(row), ownerOf(row)]), ([events, owner]) => ({
    id: row.id,
    owner,
    url: row.url,
    description: row.description,
    events,
    state: row.state,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    generation: row.generation,
    maxInFlight: row.max_in_flight,
    ordered: row.ordered === 1,
    disablePolicy: row.disable_policy,
    honourRetryAfter: row.honour_retry_after === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSuccessAt: row.last_success_at,
    lastDeliveryAt: row.last_delivery_at,
    lastStatus: row.last_status,
    consecutiveFailures: row.consecutive_failures,
  }));

/** Lists of events read last: few differ, and each claim reads those of its endpoints. */
const readBefore = new Map<string, ReadonlyArray<EventType>>();
const MOST_READ = 1_000;

const eventsOf = ({ id, events }: EndpointRow): Effect.Effect<ReadonlyArray<EventType>> => {
  const known = readBefore.get(events);
  if (known !== undefined) return Effect.succeed(known);
  return Effect.map(readJson(endpointEventsJson, events, { table: "endpoint", id }), (read) => {
    if (Option.isNone(read)) return [];
    if (readBefore.size >= MOST_READ) readBefore.clear();
    readBefore.set(events, read.value);
    return read.value;
  });
};

/** Returns the owner of a row. A reach that cannot be read holds no account. */
const ownerOf = ({ id, account, application, reach, notify }: EndpointRow): Effect.Effect<EndpointOwner> => {
  if (application === null) return Effect.succeed({ _tag: "Account", account: AccountId(account!) });
  const read = reach === null ? null : readJson(endpointReachJson, reach, { table: "endpoint", id });
  return Effect.map(read ?? Effect.succeedNone, (found) => ({
    _tag: "Application",
    application,
    reach: read === null ? null : Option.getOrElse(found, () => []),
    notify,
  }));
};

const ownerRow = (owner: EndpointOwner): Pick<EndpointRow, "account" | "application" | "reach" | "notify"> =>
  owner._tag === "Account"
    ? { account: owner.account, application: null, reach: null, notify: null }
    : {
        account: null,
        application: owner.application,
        reach: owner.reach === null ? null : endpointReachJson.write(owner.reach),
        notify: owner.notify,
      };

export const endpointRow = (
  endpoint: Endpoint,
): Omit<EndpointRow, "last_claimed_at" | "last_claimed_id" | "removed_at"> => ({
  id: endpoint.id,
  ...ownerRow(endpoint.owner),
  url: endpoint.url,
  description: endpoint.description,
  events: endpointEventsJson.write(endpoint.events),
  state: endpoint.state,
  disabled_at: endpoint.disabledAt,
  disabled_reason: endpoint.disabledReason,
  generation: endpoint.generation,
  max_in_flight: endpoint.maxInFlight,
  ordered: endpoint.ordered ? 1 : 0,
  disable_policy: endpoint.disablePolicy,
  honour_retry_after: endpoint.honourRetryAfter ? 1 : 0,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
  last_success_at: endpoint.lastSuccessAt,
  last_delivery_at: endpoint.lastDeliveryAt,
  last_status: endpoint.lastStatus,
  consecutive_failures: endpoint.consecutiveFailures,
});

const COLUMNS = {
  id: "text",
  account: "text",
  application: "text",
  reach: "text",
  notify: "text",
  url: "text",
  description: "text",
  events: "text",
  state: "text",
  disabled_at: "bigint",
  disabled_reason: "text",
  generation: "bigint",
  max_in_flight: "bigint",
  ordered: "bigint",
  disable_policy: "text",
  honour_retry_after: "bigint",
  created_at: "bigint",
  updated_at: "bigint",
  last_success_at: "bigint",
  last_delivery_at: "bigint",
  last_status: "bigint",
  consecutive_failures: "bigint",
} as const satisfies Record<keyof ReturnType<typeof endpointRow>, "text" | "bigint">;

const FIXED = new Set(["id", "account", "application", "reach", "notify", "created_at"]);
const CHANGING = sql.join(
  Object.keys(COLUMNS)
    .filter((name) => !FIXED.has(name))
    .map((name) => sql`${sql.ref(name)} = ${sql.ref(`put.${name}`)}`),
);

/** Updates existing endpoints, in one statement. */
export const putEndpoints = (db: Kysely<Tables>, tableOf: TableOf, endpoints: ReadonlyArray<Endpoint>) =>
  sql`update ${sql.table("endpoint")} set ${CHANGING} from ${tableOf(COLUMNS, endpoints.map(endpointRow))} put
    where endpoint.id = put.id`.execute(db);
