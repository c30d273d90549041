import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";
import type { Kysely } from "kysely";
import { credentialPlace } from "./auth/CredentialRows.ts";
import { appPlace } from "./oauth/OAuthApps.ts";
import { attemptPlace } from "./oauth/ConnectAttempts.ts";
import { Database } from "./Database.ts";
import type { RecordPlace } from "./RecordCipher.ts";
import { serviceSecretPlace } from "./service-secret.ts";
import { endpointSecretPlace } from "./webhooks/Endpoints.ts";
import type { Tables } from "./Tables.ts";

/** Moves a sealed value to the active key, and names the key of a value. */
export interface Rewrapper {
  readonly activeKid: string;
  readonly kidOf: (sealed: string) => Effect.Effect<string, Error>;
  readonly rewrap: (sealed: string, place: RecordPlace) => Effect.Effect<string, Error>;
}

/** The result of a key rotation for one table. */
export interface Rewrapped {
  readonly table: string;
  readonly moved: number;
  readonly unreadable: number;
  /** Already under the active key. */
  readonly untouched: number;
}

interface SealedRow {
  readonly key: string;
  readonly sealed: string;
}

/** A table with sealed values; every store with such values is listed here. */
interface SealedTable {
  readonly table: string;
  readonly place: (key: string) => RecordPlace;
  readonly after: (db: Kysely<Tables>, key: string) => Promise<ReadonlyArray<SealedRow>>;
  /** Replaces a value unless it changed since it was read. */
  readonly replace: (db: Kysely<Tables>, row: SealedRow, sealed: string) => Promise<unknown>;
}

const BATCH = 200;

const SEALED: ReadonlyArray<SealedTable> = [
  {
    table: "credential",
    place: credentialPlace,
    after: (db, key) =>
      db
        .selectFrom("credential")
        .select(["account as key", "sealed"])
        .where("account", ">", key)
        .orderBy("account")
        .limit(BATCH)
        .execute(),
    replace: (db, row, sealed) =>
      db
        .updateTable("credential")
        .set({ sealed })
        .where("account", "=", row.key)
        .where("sealed", "=", row.sealed)
        .execute(),
  },
  {
    table: "service_secret",
    place: serviceSecretPlace,
    after: (db, key) =>
      db
        .selectFrom("service_secret")
        .select(["name as key", "sealed"])
        .where("name", ">", key)
        .orderBy("name")
        .limit(BATCH)
        .execute(),
    replace: (db, row, sealed) =>
      db
        .updateTable("service_secret")
        .set({ sealed })
        .where("name", "=", row.key)
        .where("sealed", "=", row.sealed)
        .execute(),
  },
  {
    table: "endpoint_secret",
    place: endpointSecretPlace,
    after: (db, key) =>
      db
        .selectFrom("endpoint_secret")
        .select(["endpoint_id as key", "sealed"])
        .where("endpoint_id", ">", key)
        .orderBy("endpoint_id")
        .limit(BATCH)
        .execute(),
    replace: (db, row, sealed) =>
      db
        .updateTable("endpoint_secret")
        .set({ sealed })
        .where("endpoint_id", "=", row.key)
        .where("sealed", "=", row.sealed)
        .execute(),
  },
  {
    table: "oauth_app",
    place: appPlace,
    after: (db, key) =>
      db
        .selectFrom("oauth_app")
        .select(["id as key", "sealed"])
        .where("id", ">", key)
        .orderBy("id")
        .limit(BATCH)
        .execute(),
    replace: (db, row, sealed) =>
      db.updateTable("oauth_app").set({ sealed }).where("id", "=", row.key).where("sealed", "=", row.sealed).execute(),
  },
  {
    table: "connect_attempt",
    place: attemptPlace,
    after: (db, key) =>
      db
        .selectFrom("connect_attempt")
        .select(["id as key", "sealed"])
        .where("id", ">", key)
        .orderBy("id")
        .limit(BATCH)
        .execute(),
    replace: (db, row, sealed) =>
      db
        .updateTable("connect_attempt")
        .set({ sealed })
        .where("id", "=", row.key)
        .where("sealed", "=", row.sealed)
        .execute(),
  },
];

/**
 * Moves every sealed value to the active key. May be interrupted and repeated, also while services run: finished rows
 * stay, and rows that changed meanwhile are under that key already. Calls `progress` after each batch.
 */
export const rewrapSecrets = Effect.fnUntraced(function* (
  rewrapper: Rewrapper,
  progress: (table: string, seen: number) => Effect.Effect<void>,
): Effect.fn.Return<ReadonlyArray<Rewrapped>, StoreUnavailable, Database> {
  const { query } = yield* Database;

  const rewrapTable = Effect.fnUntraced(function* ({ table, place, after, replace }: SealedTable) {
    const counts = { moved: 0, unreadable: 0, untouched: 0 };
    const rewrapRow = Effect.fnUntraced(function* (row: SealedRow) {
      const isActive = (yield* rewrapper.kidOf(row.sealed)) === rewrapper.activeKid;
      const sealed = yield* rewrapper.rewrap(row.sealed, place(row.key));
      return isActive ? undefined : sealed;
    });
    for (let key = ""; ;) {
      const rows = yield* query((db) => after(db, key));
      for (const row of rows) {
        const sealed = yield* Effect.result(rewrapRow(row));
        if (sealed._tag === "Failure") counts.unreadable++;
        else if (sealed.success === undefined) counts.untouched++;
        else {
          const text = sealed.success;
          yield* query((db) => replace(db, row, text));
          counts.moved++;
        }
      }
      yield* progress(table, counts.moved + counts.unreadable + counts.untouched);
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return { table, ...counts };
      key = last.key;
    }
  });

  return yield* Effect.forEach(SEALED, rewrapTable);
});
