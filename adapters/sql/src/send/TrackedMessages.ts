import { AccountId } from "@postern/core/shared";
import { outgoingJson, type TrackedMessage, TrackedMessages } from "@postern/core/send";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { readJson } from "../database/read-json.ts";
import type { TrackedMessageRow } from "../tables/send.ts";

const rowOf = ({ id, account, messageId, recipient, opens, events }: TrackedMessage): TrackedMessageRow => ({
  id,
  account,
  message_id: messageId,
  recipient,
  opens: outgoingJson.opens.write(opens),
  events,
});

const messageOf = (row: TrackedMessageRow): Effect.Effect<Option.Option<TrackedMessage>> =>
  Effect.map(
    readJson(outgoingJson.opens, row.opens, { table: "tracked_message", id: row.id }),
    Option.map((opens) => ({
      id: row.id,
      account: AccountId(row.account),
      messageId: row.message_id,
      recipient: row.recipient,
      opens,
      events: row.events,
    })),
  );

/** Tracked messages in the table `tracked_message` (spec 7). */
export const layer: Layer.Layer<TrackedMessages, never, Database> = Layer.effect(
  TrackedMessages,
  Effect.gen(function* () {
    const { query, lockRows } = yield* Database;

    return TrackedMessages.of({
      insert: Effect.fn("TrackedMessages.insert")(function* (message) {
        yield* query((db) => db.insertInto("tracked_message").values(rowOf(message)).execute());
      }),

      find: Effect.fn("TrackedMessages.find")(function* (id) {
        if (id.includes("\0")) return Option.none();
        const row = yield* query((db) =>
          lockRows(db.selectFrom("tracked_message").selectAll().where("id", "=", id)).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* messageOf(row);
      }),

      update: Effect.fn("TrackedMessages.update")(function* (message) {
        const { id, ...row } = rowOf(message);
        yield* query((db) => db.updateTable("tracked_message").set(row).where("id", "=", id).execute());
      }),

      remove: Effect.fn("TrackedMessages.remove")(function* (messageIds) {
        yield* query((db) => db.deleteFrom("tracked_message").where("message_id", "in", messageIds).execute());
      }),

      erase: Effect.fn("TrackedMessages.erase")(function* (account, limit) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("tracked_message")
            .where("id", "in", (some) =>
              some.selectFrom("tracked_message").select("id").where("account", "=", account).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        );
        return numDeletedRows === BigInt(limit);
      }),
    });
  }),
);
