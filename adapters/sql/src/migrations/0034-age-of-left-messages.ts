import type { Migration } from "./Migration.ts";

/** Adds an index by time of the messages that left, including messages of accounts that are no longer followed. */
export const ageOfLeftMessages: Migration = {
  name: "0034-age-of-left-messages",
  up: async (db) => {
    await db.schema.dropIndex("left_message_by_time").execute();
    await db.schema.createIndex("left_message_by_time").on("left_message").column("left_at").execute();
  },
};
