import type { Migration } from "./Migration.ts";

/**
 * Stores the location that a message's id encodes, and finds rows by the message's current location. Rows that an
 * earlier release wrote, or a node that still runs one, have no such location. The id of the message in such a row
 * encodes the location to which the message was moved.
 */
export const idsThatStay: Migration = {
  name: "0045-ids-that-stay",
  up: async (db) => {
    for (const [name, type] of [
      ["id_folder_id", "text"],
      ["id_uid_validity", "bigint"],
      ["id_uid", "bigint"],
    ] as const) {
      await db.schema.alterTable("moved_message").addColumn(name, type).execute();
    }
    await db.schema
      .createIndex("moved_message_by_now")
      .on("moved_message")
      .columns(["account", "to_folder_id", "to_uid_validity", "to_uid"])
      .execute();
    // Moves are no longer deleted by age.
    await db.schema.dropIndex("moved_message_by_time").execute();
    await db.schema.createIndex("moved_message_by_age").on("moved_message").columns(["account", "moved_at"]).execute();
    await db.schema
      .createTable("begun_move")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("folder_id", "text", (column) => column.notNull())
      .addColumn("uid_validity", "bigint", (column) => column.notNull())
      .addColumn("uid", "bigint", (column) => column.notNull())
      .addColumn("to_folder_id", "text", (column) => column.notNull())
      .addColumn("lowest_uid", "bigint", (column) => column.notNull())
      .addColumn("email_id", "text")
      .addColumn("message_id", "text")
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("arrived_at", "bigint", (column) => column.notNull())
      .addColumn("begun_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("begun_move_from", ["account", "folder_id", "uid_validity", "uid", "to_folder_id"])
      .execute();
    await db.schema.createIndex("begun_move_by_time").on("begun_move").columns(["begun_at"]).execute();
    await db.schema.alterTable("folder_removal").addColumn("folders", "text").execute();
  },
};
