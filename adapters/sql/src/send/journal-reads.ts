import { addressKey } from "@postern/core/mail";
import type { OutgoingJournal } from "@postern/core/send";
import { Effect, Option } from "effect";
import type { Database } from "../database/Database.ts";
import { entryOf, messagesOf } from "./outgoing-rows.ts";

/** Maximum number of Message-IDs or addresses of one report that are looked up. */
const KEYS_AT_ONCE = 100;
/** PostgreSQL refuses NUL in text, also in comparisons. */
const keys = (some: ReadonlyArray<string>) => some.filter((key) => !key.includes("\0")).slice(0, KEYS_AT_ONCE);
const MOST_SENT_TO = 100;

/** The read-only operations of the journal. Messages that cannot be read are left out. */
export const journalReads = (
  query: Database["Service"]["query"],
): Pick<OutgoingJournal["Service"], "find" | "list" | "named" | "sentTo"> => ({
  find: Effect.fn("OutgoingJournal.find")(function* (account, id, now) {
    // PostgreSQL refuses NUL in text, also in comparisons.
    if (id.includes("\0")) return Option.none();
    const row = yield* query((db) =>
      db.selectFrom("outgoing").selectAll().where("id", "=", id).where("account", "=", account).executeTakeFirst(),
    );
    return row === undefined ? Option.none() : yield* entryOf(row, now);
  }),

  list: Effect.fn("OutgoingJournal.list")(function* (account, now, limit) {
    const rows = yield* query((db) =>
      db
        .selectFrom("outgoing")
        .selectAll()
        .where("account", "=", account)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute(),
    );
    const entries = yield* Effect.forEach(rows, (row) => entryOf(row, now));
    return entries.flatMap(Option.toArray);
  }),

  named: Effect.fn("OutgoingJournal.named")(function* (account, messageIds, ids) {
    const [byMessageId, byId] = [keys(messageIds), keys(ids)];
    if (byMessageId.length + byId.length === 0) return [];
    const rows = yield* query((db) =>
      db
        .selectFrom("outgoing")
        .select(["id", "record"])
        .where("account", "=", account)
        .where((where) =>
          where.or([
            ...(byMessageId.length > 0
              ? [where("message_id", "in", byMessageId), where("provider_message_id", "in", byMessageId)]
              : []),
            ...(byId.length > 0 ? [where("id", "in", byId)] : []),
          ]),
        )
        .execute(),
    );
    return yield* messagesOf(rows);
  }),

  sentTo: Effect.fn("OutgoingJournal.sentTo")(function* (account, addresses, since) {
    const wanted = keys(addresses.map(addressKey));
    if (wanted.length === 0) return [];
    const rows = yield* query((db) =>
      db
        .selectFrom("outgoing")
        .select(["id", "record"])
        .where("id", "in", (some) =>
          some
            .selectFrom("outgoing_recipient")
            .select("outgoing_id")
            .where("account", "=", account)
            .where("address", "in", wanted)
            .where("created_at", ">=", since)
            .groupBy(["created_at", "outgoing_id"])
            .orderBy("created_at", "desc")
            .orderBy("outgoing_id", "desc")
            .limit(MOST_SENT_TO),
        )
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .execute(),
    );
    return yield* messagesOf(rows);
  }),
});
