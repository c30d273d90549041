import type { Migration } from "./Migration.ts";

/** Adds an index that finds the messages that left too long ago, including those of accounts that are no longer followed. */
export const ageOfLeftMessages: Migration = {
  name: "0034-age-of-left-messages",
  up: async (db) => {
    await db.schema.dropIndex("left_message_by_time").execute();
    await db.schema.createIndex("left_message_by_time").on("left_message").column("left_at").execute();
  },
};
