import type { Migration } from "./Migration.ts";

/** Finds the messages of all accounts that left too long ago, also of those that are followed no longer. */
export const ageOfLeftMessages: Migration = {
  name: "0034-age-of-left-messages",
  up: async (db) => {
    await db.schema.dropIndex("left_message_by_time").execute();
    await db.schema.createIndex("left_message_by_time").on("left_message").column("left_at").execute();
  },
};
