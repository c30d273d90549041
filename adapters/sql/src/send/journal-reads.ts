import { addressKey } from "@postern/core/mail";
import type { OutgoingJournal } from "@postern/core/send";
import { Effect, Option } from "effect";
import type { Database } from "../database/Database.ts";
import { isAfter, listAfter } from "../database/list-after.ts";
import { entryOf, foundBy, messagesOf, WAITING } from "./outgoing-rows.ts";

/** Maximum number of Message-IDs or addresses from one report that are looked up. */
const KEYS_AT_ONCE = 100;
/** Returns the keys that PostgreSQL accepts; it refuses NUL in text, also in comparisons. */
const keys = (some: ReadonlyArray<string>) => some.filter((key) => !key.includes("\0")).slice(0, KEYS_AT_ONCE);
const MAX_SENT_TO = 100;

/** The read-only operations of the journal. They skip messages that cannot be read. */
export const journalReads = (
  query: Database["Service"]["query"],
): Pick<OutgoingJournal["Service"], "find" | "list" | "named" | "findSentTo" | "backlog"> => ({
  find: Effect.fn("OutgoingJournal.find")(function* (account, id, now) {
    // PostgreSQL refuses NUL in text, also in comparisons.
    if (id.includes("\0")) return Option.none();
    const row = yield* query((db) =>
      db.selectFrom("outgoing").selectAll().where("id", "=", id).where("account", "=", account).executeTakeFirst(),
    );
    return row === undefined ? Option.none() : yield* entryOf(row, now);
  }),

  list: Effect.fn("OutgoingJournal.list")((whose, now, limit, after) =>
    listAfter(
      after,
      limit,
      (place, some) =>
        query((db) =>
          db
            .selectFrom("outgoing")
            .selectAll()
            .where(foundBy(whose, now))
            .where(isAfter(place, "<"))
            .orderBy("created_at", "desc")
            .orderBy("id", "desc")
            .limit(some)
            .execute(),
        ),
      (row) => entryOf(row, now),
    ),
  ),

  backlog: Effect.fn("OutgoingJournal.backlog")(function* (now) {
    const waiting = yield* query((db) =>
      db
        .selectFrom("outgoing")
        .select(({ fn }) => ["state", fn.countAll().as("n"), fn.min("created_at").as("oldest")])
        .where("state", "in", ["scheduled", "queued", "held", "sending"])
        .groupBy("state")
        .execute(),
    );
    const leased = yield* query((db) =>
      db
        .selectFrom("outgoing")
        .select(({ fn }) => ["state", fn.countAll().as("n")])
        .where("lease_token", "is not", null)
        .where("due_at", ">", now)
        .where("state", "in", WAITING)
        .groupBy("state")
        .execute(),
    );
    const counts: Record<string, number> = { scheduled: 0, queued: 0, held: 0, sending: 0 };
    const add = (state: string, n: number) => void (counts[state] = Math.max(0, (counts[state] ?? 0) + n));
    for (const { state, n } of waiting) add(state, Number(n));
    for (const { state, n } of leased)
      for (const [one, by] of [
        [state, -Number(n)],
        ["sending", Number(n)],
      ] as const)
        add(one, by);
    const oldest = waiting.find(({ state }) => state === "queued")?.oldest ?? null;
    return { counts: counts as Record<"scheduled" | "queued" | "held" | "sending", number>, oldestAt: oldest };
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

  findSentTo: Effect.fn("OutgoingJournal.findSentTo")(function* (account, addresses, since) {
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
            .limit(MAX_SENT_TO),
        )
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .execute(),
    );
    return yield* messagesOf(rows);
  }),
});
