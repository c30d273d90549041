import type { Migration } from "./Migration.ts";

/** Stores the labels of seen messages. The labels of earlier messages are unknown. */
export const labels: Migration = {
  name: "0044-labels",
  up: async (db) => {
    await db.schema.alterTable("seen_message").addColumn("labels", "text").execute();
  },
};
