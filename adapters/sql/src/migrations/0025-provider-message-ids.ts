import type { Migration } from "./Migration.ts";

/** Stores the Message-IDs that mail servers gave outgoing messages, because reports name these ids. */
export const providerMessageIds: Migration = {
  name: "0025-provider-message-ids",
  up: async ({ schema }) => {
    await schema.alterTable("outgoing").addColumn("provider_message_id", "text").execute();
    await schema
      .createIndex("outgoing_by_provider_message_id")
      .on("outgoing")
      .column("provider_message_id")
      .where("provider_message_id", "is not", null)
      .execute();
  },
};
