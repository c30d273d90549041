import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/** Adds an index of waiting messages and one of leased messages, because claiming counts the leases of an account. */
export const sharesOfSending: Migration = {
  name: "0018-shares-of-sending",
  up: async ({ schema }) => {
    await schema.dropIndex("outgoing_by_due").execute();
    await schema
      .createIndex("outgoing_waiting")
      .on("outgoing")
      .columns(["due_at", "id", "account"])
      .where(sql<boolean>`due_at is not null and lease_token is null`)
      .execute();
    await schema
      .createIndex("outgoing_leased")
      .on("outgoing")
      .columns(["account", "due_at"])
      .where(sql.ref("lease_token"), "is not", null)
      .execute();
  },
};
