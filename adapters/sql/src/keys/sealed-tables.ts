import { type Kysely, sql } from "kysely";
import { credentialPlace } from "../auth/CredentialRows.ts";
import { attemptPlace } from "../oauth/ConnectAttempts.ts";
import { appPlace } from "../oauth/OAuthApps.ts";
import type { RecordPlace } from "../database/RecordCipher.ts";
import { serviceSecretPlace } from "../database/service-secret.ts";
import type { Tables } from "../tables/Tables.ts";
import { endpointSecretPlace } from "../webhooks/Endpoints.ts";

/** A sealed value, and the key of its row. */
export interface SealedRow {
  readonly key: string;
  readonly sealed: string;
}

/** A table with sealed values, and the column that identifies a row. */
export interface SealedTable {
  readonly table: keyof Tables;
  readonly column: string;
  readonly place: (key: string) => RecordPlace;
}

/** Every table with sealed values. */
export const SEALED: ReadonlyArray<SealedTable> = [
  { table: "credential", column: "account", place: credentialPlace },
  { table: "service_secret", column: "name", place: serviceSecretPlace },
  { table: "endpoint_secret", column: "endpoint_id", place: endpointSecretPlace },
  { table: "oauth_app", column: "id", place: appPlace },
  { table: "connect_attempt", column: "id", place: attemptPlace },
];

/** The number of rows that `rowsAfter` returns; at the end of a table fewer. */
export const ROWS_AFTER = 200;

/** Returns the rows after the row with this key, in the order of their keys. */
export const rowsAfter = async (db: Kysely<Tables>, { table, column }: SealedTable, key: string) => {
  const id = sql.id(column);
  const rows = sql<SealedRow>`
    select ${id} as ${sql.id("key")}, sealed from ${sql.table(table)} where ${id} > ${key} order by ${id} limit ${ROWS_AFTER}`;
  return (await rows.execute(db)).rows;
};
