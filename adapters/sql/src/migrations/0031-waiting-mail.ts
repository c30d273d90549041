import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Stores the key and the application that requested an outgoing message, and the server for which it waits. */
export const waitingMail: Migration = {
  name: "0031-waiting-mail",
  up: async ({ schema }) => {
    for (const column of ["key_id", "application", "waits_for"]) {
      await schema.alterTable("outgoing").addColumn(column, "text").execute();
    }
    await schema
      .createIndex("outgoing_unfinished_by_key")
      .on("outgoing")
      .column("key_id")
      .where("key_id", "is not", null)
      .where(sql.ref("due_at"), "is not", null)
      .execute();
    await schema
      .createIndex("outgoing_unfinished_by_application")
      .on("outgoing")
      .column("application")
      .where("application", "is not", null)
      .where(sql.ref("due_at"), "is not", null)
      .execute();
    await schema
      .createIndex("outgoing_unfinished_by_server")
      .on("outgoing")
      .columns(["waits_for", "due_at"])
      .where("waits_for", "is not", null)
      .where(sql.ref("due_at"), "is not", null)
      .execute();
  },
};
