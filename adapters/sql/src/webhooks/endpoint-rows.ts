import type { EventType } from "@postern/core/events";
import { AccountId } from "@postern/core/shared";
import { type Endpoint, endpointJson, type EndpointOwner } from "@postern/core/webhooks";
import { Effect, Option } from "effect";
import { type Kysely, sql } from "kysely";
import type { TableOf } from "../database/Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import { readJson } from "../database/read-json.ts";
import { ENDPOINT, type EndpointRow } from "../tables/webhooks.ts";

/** Returns the endpoint of a row. If its events cannot be read, it has no events until its owner chooses them again. */
export const endpointOf = (row: EndpointRow): Effect.Effect<Endpoint> =>
  Effect.map(Effect.all([eventsOf(row), ownerOf(row), foldersOf(row)]), ([events, owner, folders]) => ({
    ...ENDPOINT.recordOf(row),
    owner,
    events,
    folders,
  }));

/** Returns the folders of a row; none if they cannot be read. */
const foldersOf = ({ id, folders }: EndpointRow): Effect.Effect<ReadonlyArray<string>> =>
  folders === null
    ? Effect.succeed(INBOX_ALONE)
    : Effect.map(
        readJson(endpointJson.folders, folders, { table: "endpoint", id }),
        Option.getOrElse(() => []),
      );

const INBOX_ALONE = ["inbox"];
const isInboxAlone = (folders: ReadonlyArray<string>): boolean => folders.length === 1 && folders[0] === "inbox";

/**
 * The most recently parsed lists of events. There are few different lists, and each claim reads those of its endpoints.
 */
const readBefore = new Map<string, ReadonlyArray<EventType>>();
const MAX_READ = 1_000;

const eventsOf = ({ id, events }: EndpointRow): Effect.Effect<ReadonlyArray<EventType>> => {
  const known = readBefore.get(events);
  if (known !== undefined) return Effect.succeed(known);
  return Effect.map(readJson(endpointJson.events, events, { table: "endpoint", id }), (read) => {
    if (Option.isNone(read)) return [];
    if (readBefore.size >= MAX_READ) readBefore.clear();
    readBefore.set(events, read.value);
    return read.value;
  });
};

/** Returns the owner of a row. A reach that cannot be read contains no account. */
const ownerOf = ({ id, account, application, reach, notify }: EndpointRow): Effect.Effect<EndpointOwner> => {
  if (application === null) return Effect.succeed({ _tag: "Account", account: AccountId(account!) });
  const read = reach === null ? null : readJson(endpointJson.reach, reach, { table: "endpoint", id });
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
        reach: owner.reach === null ? null : endpointJson.reach.write(owner.reach),
        notify: owner.notify,
      };

export const endpointRow = (
  endpoint: Endpoint,
): Omit<EndpointRow, "last_claimed_at" | "last_claimed_id" | "removed_at"> => ({
  ...ENDPOINT.rowOf(endpoint),
  ...ownerRow(endpoint.owner),
  events: endpointJson.events.write(endpoint.events),
  folders: isInboxAlone(endpoint.folders) ? null : endpointJson.folders.write(endpoint.folders),
});

const COLUMNS = { ...ENDPOINT.types, events: "text", folders: "text" } as const;
const FIXED_COLUMNS = new Set(["id", "created_at"]);
const UPDATED_COLUMNS = sql.join(
  Object.keys(COLUMNS)
    .filter((name) => !FIXED_COLUMNS.has(name))
    .map((name) => sql`${sql.ref(name)} = ${sql.ref(`put.${name}`)}`),
);

/** Updates existing endpoints, in one statement. */
export const putEndpoints = (db: Kysely<Tables>, tableOf: TableOf, endpoints: ReadonlyArray<Endpoint>) =>
  sql`update ${sql.table("endpoint")} set ${UPDATED_COLUMNS} from ${tableOf(COLUMNS, endpoints.map(endpointRow))} put
    where endpoint.id = put.id`.execute(db);
