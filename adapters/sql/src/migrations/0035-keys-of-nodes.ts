import type { Migration } from "./Migration.ts";

/** Stores the sealing keys of each running process. */
export const keysOfNodes: Migration = {
  name: "0035-keys-of-nodes",
  up: (db) => db.schema.alterTable("node").addColumn("sealing_keys", "text").execute(),
};
