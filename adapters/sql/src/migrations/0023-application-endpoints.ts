import { sql } from "kysely";
import type { Migration } from "./Migration.ts";

/**
 * Lets an endpoint belong to an application: `account` may be null, `max_in_flight` may be up to 32, and
 * `endpoint_reach` has the entries of its reach, so that events find the endpoint. A column is replaced to change its
 * constraint, because SQLite cannot alter a constraint.
 */
export const applicationEndpoints: Migration = {
  name: "0023-application-endpoints",
  up: async (db) => {
    const { schema } = db;
    await schema.dropIndex("endpoint_by_account").execute();
    await schema.alterTable("endpoint").addColumn("owner_account", "text").execute();
    await schema
      .alterTable("endpoint")
      .addColumn("in_flight", "integer", (column) =>
        column
          .notNull()
          .defaultTo(4)
          .check(sql`in_flight between 1 and 32`),
      )
      .execute();
    await sql`update endpoint set owner_account = account, in_flight = max_in_flight`.execute(db);
    await schema.alterTable("endpoint").dropColumn("account").execute();
    await schema.alterTable("endpoint").dropColumn("max_in_flight").execute();
    await schema.alterTable("endpoint").renameColumn("owner_account", "account").execute();
    await schema.alterTable("endpoint").renameColumn("in_flight", "max_in_flight").execute();
    for (const name of ["application", "reach", "notify"]) {
      await schema.alterTable("endpoint").addColumn(name, "text").execute();
    }
    await schema.createIndex("endpoint_by_account").on("endpoint").columns(["account", "created_at", "id"]).execute();
    await schema
      .createIndex("endpoint_by_application")
      .on("endpoint")
      .columns(["application", "created_at", "id"])
      .where(sql<boolean>`application is not null`)
      .execute();

    await schema
      .createTable("endpoint_reach")
      .addColumn("entry", "text", (column) => column.notNull())
      .addColumn("endpoint_id", "text", (column) => column.notNull().references("endpoint.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("endpoint_reach_key", ["entry", "endpoint_id"])
      .execute();
    await schema.createIndex("endpoint_reach_by_endpoint").on("endpoint_reach").column("endpoint_id").execute();

    // Positions of events count per account, so that two events of an endpoint may have the same time and position.
    await schema.dropIndex("delivery_replay").execute();
    await schema
      .createIndex("delivery_replay")
      .on("delivery")
      .columns(["endpoint_id", "occurred_at", "position", "event_id"])
      .where(sql<boolean>`state in ('pending', 'exhausted')`)
      .execute();
  },
};
