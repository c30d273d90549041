import { AssistantClientRecords, assistantsJson } from "@postern/core/assistants";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { isAfter, listAfter } from "../database/list-after.ts";
import { readJson } from "../database/read-json.ts";
import type { AssistantsTables } from "../tables/assistants.ts";

const clientOf = ({ id, record }: AssistantsTables["assistant_client"]) =>
  readJson(assistantsJson.client, record, { table: "assistant_client", id });

/** Clients of assistants in the table `assistant_client`. */
export const layer: Layer.Layer<AssistantClientRecords, never, Database> = Layer.effect(
  AssistantClientRecords,
  Effect.gen(function* () {
    const { query } = yield* Database;

    const select = (after: Parameters<typeof isAfter>[0], limit: number) =>
      query((db) =>
        db
          .selectFrom("assistant_client")
          .selectAll()
          .where(isAfter(after, ">"))
          .orderBy("created_at", "desc")
          .orderBy("id")
          .limit(limit)
          .execute(),
      );

    return AssistantClientRecords.of({
      insert: Effect.fn("AssistantClientRecords.insert")(function* (client) {
        const { id, source, createdAt } = client;
        const registered = source === "registered" ? 1 : 0;
        const row = { id, registered, created_at: createdAt, record: assistantsJson.client.write(client) };
        yield* query((db) => db.insertInto("assistant_client").values(row).execute());
      }),

      find: Effect.fnUntraced(function* (id) {
        // PostgreSQL refuses NUL in text, also in comparisons.
        if (id.includes("\0")) return Option.none();
        const row = yield* query((db) =>
          db.selectFrom("assistant_client").selectAll().where("id", "=", id).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* clientOf(row);
      }),

      list: Effect.fn("AssistantClientRecords.list")((after, limit) => listAfter(after, limit, select, clientOf)),

      remove: Effect.fn("AssistantClientRecords.remove")(function* (id) {
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("assistant_client").where("id", "=", id).executeTakeFirst(),
        );
        return numDeletedRows > 0n;
      }),

      countRegistered: Effect.gen(function* () {
        const { count } = yield* query((db) =>
          db
            .selectFrom("assistant_client")
            .select((row) => row.fn.countAll<number | string>().as("count"))
            .where("registered", "=", 1)
            .executeTakeFirstOrThrow(),
        );
        return Number(count);
      }),

      removeRegistered: Effect.fn("AssistantClientRecords.removeRegistered")(function* (before) {
        yield* query((db) =>
          db.deleteFrom("assistant_client").where("registered", "=", 1).where("created_at", "<", before).execute(),
        );
      }),
    });
  }),
);
