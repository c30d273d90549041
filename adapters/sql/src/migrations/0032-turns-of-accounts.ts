import type { Migration } from "./Migration.ts";

/** Stores the last claimed delivery of an endpoint, so that its accounts take turns. */
export const turnsOfAccounts: Migration = {
  name: "0032-turns-of-accounts",
  up: (db) => db.schema.alterTable("endpoint").addColumn("last_claimed_id", "text").execute(),
};
