import type { Migration } from "./Migration.ts";

/** Stores which delivery of an endpoint was claimed last, so that its accounts take turns. */
export const turnsOfAccounts: Migration = {
  name: "0032-turns-of-accounts",
  up: (db) => db.schema.alterTable("endpoint").addColumn("last_claimed_id", "text").execute(),
};
