import type { AccountId } from "@postern/core/shared";
import { dueAt, type OutgoingContents, OutgoingJournal, type OutgoingMessage, resume } from "@postern/core/send";
import { addressKey } from "@postern/core/bounces";
import { Clock, Effect, Layer, Option } from "effect";
import { Database } from "../Database.ts";
import { leasedQueue } from "../leased-queue.ts";
import type { OutgoingRow } from "./tables.ts";
import { entryOf, messageOf, recipientRows } from "./outgoing-rows.ts";
import { sharePerAccount } from "./share-per-account.ts";

/** Message-IDs or addresses of one report that are looked up. */
const KEYS_AT_ONCE = 100;
/** PostgreSQL refuses NUL in text, even to compare with. */
const keys = (some: ReadonlyArray<string>) => some.filter((key) => !key.includes("\0")).slice(0, KEYS_AT_ONCE);
const MOST_SENT_TO = 100;

/** Outgoing messages in `outgoing`, what they say in `outgoing_contents`, to whom in `outgoing_recipient` (spec 6). */
export const layer: Layer.Layer<OutgoingJournal, never, Database> = Layer.effect(
  OutgoingJournal,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, together, lockRows, skipLocked } = database;
    const queue = yield* Effect.orDie(leasedQueue(database, "outgoing", sharePerAccount(skipLocked)));

    const byAge = (one: OutgoingMessage, other: OutgoingMessage) => (one.attemptAt ?? 0) - (other.attemptAt ?? 0);

    const update = Effect.fnUntraced(function* (
      message: OutgoingMessage,
      token: string,
      given: Partial<Pick<OutgoingRow, "lease_token" | "due_at" | "finished_at">>,
    ) {
      const { numUpdatedRows } = yield* query((db) =>
        db
          .updateTable("outgoing")
          .set({ record: JSON.stringify(message), ...given })
          .where("id", "=", message.id)
          .where("lease_token", "=", token)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    });

    const finish = Effect.fnUntraced(function* (message: OutgoingMessage, token: string) {
      const now = yield* Clock.currentTimeMillis;
      if (!(yield* update(message, token, { lease_token: null, due_at: null, finished_at: now }))) return false;
      yield* query((db) => db.deleteFrom("outgoing_contents").where("id", "=", message.id).execute());
      yield* queue.madeRoom;
      return true;
    }, together);

    const save = Effect.fnUntraced(function* (message: OutgoingMessage, token: string, lease: "keep" | "give back") {
      if (lease === "keep") return yield* update(message, token, {});
      const due = dueAt(message);
      if (due === null) return yield* finish(message, token);
      if (!(yield* update(message, token, { lease_token: null, due_at: due }))) return false;
      yield* queue.wake(due);
      yield* queue.madeRoom;
      return true;
    });

    const find = Effect.fn("OutgoingJournal.find")(function* (account: AccountId, id: string, now: number) {
      // PostgreSQL refuses NUL in text, even to compare with.
      if (id.includes("\0")) return Option.none();
      const row = yield* query((db) =>
        db.selectFrom("outgoing").selectAll().where("id", "=", id).where("account", "=", account).executeTakeFirst(),
      );
      return Option.map(Option.fromUndefinedOr(row), (found) => entryOf(found, now));
    });

    return OutgoingJournal.of({
      insert: Effect.fnUntraced(function* (message, contents, lease) {
        const due = lease?.until ?? dueAt(message);
        yield* query((db) =>
          db
            .insertInto("outgoing")
            .values({
              id: message.id,
              account: message.account,
              message_id: message.messageId,
              created_at: message.createdAt,
              due_at: due,
              lease_token: lease?.token ?? null,
              finished_at: null,
              record: JSON.stringify(message),
            })
            .execute(),
        );
        const recipients = recipientRows(message);
        if (recipients.length > 0)
          yield* query((db) => db.insertInto("outgoing_recipient").values(recipients).execute());
        yield* query((db) =>
          db
            .insertInto("outgoing_contents")
            .values({ id: message.id, contents: JSON.stringify(contents) })
            .execute(),
        );
        if (due !== null) yield* queue.wake(due);
      }, together),

      contents: Effect.fnUntraced(function* (id) {
        const row = yield* query((db) =>
          db.selectFrom("outgoing_contents").select("contents").where("id", "=", id).executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), ({ contents }) => JSON.parse(contents) as OutgoingContents);
      }),

      claim: Effect.fnUntraced(function* (now, lease, limit) {
        return (yield* queue.claim(now, lease, limit)).map(messageOf).toSorted(byAge);
      }),

      claimOne: Effect.fn("OutgoingJournal.claimOne")(function* (account, id, now, lease) {
        const entry = yield* find(account, id, now);
        return Option.isNone(entry) ? Option.none() : Option.map(yield* queue.claimOne(id, now, lease), messageOf);
      }),

      renew: queue.renew,
      release: queue.release,
      save,

      find,

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
        return rows.map((row) => entryOf(row, now));
      }),

      named: Effect.fn("OutgoingJournal.named")(function* (account, messageIds, ids) {
        const [byMessageId, byId] = [keys(messageIds), keys(ids)];
        if (byMessageId.length + byId.length === 0) return [];
        const rows = yield* query((db) =>
          db
            .selectFrom("outgoing")
            .select("record")
            .where("account", "=", account)
            .where((where) =>
              where.or([
                ...(byMessageId.length > 0 ? [where("message_id", "in", byMessageId)] : []),
                ...(byId.length > 0 ? [where("id", "in", byId)] : []),
              ]),
            )
            .execute(),
        );
        return rows.map(messageOf);
      }),

      sentTo: Effect.fn("OutgoingJournal.sentTo")(function* (account, addresses, since) {
        const wanted = keys(addresses.map(addressKey));
        if (wanted.length === 0) return [];
        const rows = yield* query((db) =>
          db
            .selectFrom("outgoing")
            .select("record")
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
        return rows.map(messageOf);
      }),

      hasUnfinished: Effect.fn("OutgoingJournal.hasUnfinished")(function* (account) {
        const row = yield* query((db) =>
          db
            .selectFrom("outgoing")
            .select("id")
            .where("account", "=", account)
            .where("due_at", "is not", null)
            .limit(1)
            .executeTakeFirst(),
        );
        return row !== undefined;
      }),

      resume: Effect.fn("OutgoingJournal.resume")(function* (account, now) {
        const rows = yield* query((db) =>
          lockRows(
            db
              .selectFrom("outgoing")
              .select("record")
              .where("account", "=", account)
              .where("due_at", "is not", null)
              .where("lease_token", "is", null)
              .orderBy("id"),
          ).execute(),
        );
        for (const message of rows.map(messageOf)) {
          const resumed = resume(message, now);
          if (resumed === message) continue;
          const due = dueAt(resumed)!;
          yield* query((db) =>
            db
              .updateTable("outgoing")
              .set({ record: JSON.stringify(resumed), due_at: due })
              .where("id", "=", message.id)
              .execute(),
          );
          yield* queue.wake(due);
        }
      }, together),

      forgetFinished: Effect.fn("OutgoingJournal.forgetFinished")(function* (before, limit) {
        const rows = yield* query((db) =>
          db
            .deleteFrom("outgoing")
            .where("id", "in", (some) =>
              some.selectFrom("outgoing").select("id").where("finished_at", "<", before).limit(limit),
            )
            .returning("message_id")
            .execute(),
        );
        return rows.map(({ message_id }) => message_id);
      }),

      erase: Effect.fn("OutgoingJournal.erase")(function* (account, limit) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("outgoing")
            .where("id", "in", (some) =>
              some.selectFrom("outgoing").select("id").where("account", "=", account).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        );
        return numDeletedRows === BigInt(limit);
      }),

      nextDue: queue.nextDue,
      changed: queue.changed,
    });
  }),
);
