import type { Migration } from "./Migration.ts";

/** Keeps the labels of seen messages; those of messages seen before are unknown. */
export const labels: Migration = {
  name: "0044-labels",
  up: async (db) => {
    await db.schema.alterTable("seen_message").addColumn("labels", "text").execute();
  },
};
