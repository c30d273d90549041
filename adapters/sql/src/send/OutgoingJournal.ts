import { dueAt, ordersFor, outgoingJson, OutgoingJournal, type OutgoingMessage, stateOf } from "@postern/core/send";
import { Clock, Effect, Layer, Option } from "effect";
import { sql } from "kysely";
import { batched } from "../database/batched.ts";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import type { FinishedOutgoing, SavedOutgoing, WaitingOutgoing } from "../database/Engine.ts";
import { leasedQueue } from "../database/leased-queue.ts";
import { readJson } from "../database/read-json.ts";
import type { OutgoingRow } from "../tables/send.ts";
import { journalReads } from "./journal-reads.ts";
import { outgoingChanges } from "./outgoing-changes.ts";
import { messageOf, recipientRows, waitColumns } from "./outgoing-rows.ts";
import { sharePerAccount } from "./share-per-account.ts";

/**
 * Outgoing messages in `outgoing`, their contents in `outgoing_contents` and recipients in `outgoing_recipient` (spec
 * 6).
 */
export const layer: Layer.Layer<OutgoingJournal, never, Database> = Layer.effect(
  OutgoingJournal,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, isInside, outgoing, skipLocked } = database;
    const queue = yield* Effect.orDie(leasedQueue(database, "outgoing", sharePerAccount(skipLocked)));

    const reads = journalReads(query);

    const byAge = (one: OutgoingMessage, other: OutgoingMessage) => (one.attemptAt ?? 0) - (other.attemptAt ?? 0);

    /** Returns a claimed message. Sets an unreadable message aside: its row stays and is never due again. */
    const readable = (row: OutgoingRow, token: string) =>
      Effect.tap(messageOf(row), (message) =>
        Option.isNone(message) ? queue.postpone(row.id, token, null) : Effect.void,
      );

    const selectUnfinished = compiledWith((db, { account }: { readonly account: string }) =>
      db.selectFrom("outgoing").select("id").where("account", "=", account).where("due_at", "is not", null).limit(1),
    );
    const keepRow = compiledWith((db, { id, token, ...saved }: SavedOutgoing) =>
      db.updateTable("outgoing").set(saved).where("id", "=", id).where("lease_token", "=", token),
    );
    const postponeRow = compiledWith((db, { id, token, orders, due_at, ...saved }: WaitingOutgoing) => {
      const isAsked = orders.length === 0 ? sql`1 = 0` : sql`asked in (${sql.join(orders)})`;
      return db
        .updateTable("outgoing")
        .set({
          ...saved,
          lease_token: null,
          asked: sql`case when ${isAsked} then asked end`,
          due_at: sql`case when ${isAsked} then cast(0 as bigint) else ${due_at} end`,
        })
        .where("id", "=", id)
        .where("lease_token", "=", token)
        .returning("due_at");
    });

    const savedRow = (message: OutgoingMessage, token: string): SavedOutgoing => ({
      id: message.id,
      token,
      provider_message_id: message.providerMessageId ?? null,
      state: stateOf(message, false),
      record: outgoingJson.message.write(message),
    });

    const keep = Effect.fnUntraced(function* (message: OutgoingMessage, token: string) {
      const { numAffectedRows } = yield* query((db) => keepRow(db, savedRow(message, token)));
      return numAffectedRows === 1n;
    });

    const postpone = Effect.fnUntraced(function* (message: OutgoingMessage, token: string, due: number) {
      const waiting = { ...waitColumns(message), due_at: due, orders: ordersFor(message) };
      const { rows } = yield* query((db) => postponeRow(db, { ...savedRow(message, token), ...waiting }));
      const [row] = rows;
      if (row === undefined) return false;
      yield* queue.wake(row.due_at ?? due);
      yield* queue.madeRoom;
      return true;
    }, Effect.uninterruptible);

    const finishAll = Effect.fnUntraced(function* (finished: ReadonlyArray<FinishedOutgoing>) {
      const ids = new Set(yield* query((db) => outgoing.finish(db, finished)));
      return new Map(finished.filter(({ id }) => ids.has(id)).map((one) => [one, true]));
    });
    const finishWithOthers = batched(finishAll);

    const finish = Effect.fnUntraced(function* (message: OutgoingMessage, token: string) {
      const one: FinishedOutgoing = { ...savedRow(message, token), finished_at: yield* Clock.currentTimeMillis };
      const isHeld = (yield* isInside)
        ? (yield* finishAll([one])).has(one)
        : Option.isSome(yield* finishWithOthers(one));
      if (isHeld) yield* queue.madeRoom;
      return isHeld;
    }, Effect.uninterruptible);

    const save = (message: OutgoingMessage, token: string, lease: "keep" | "release") => {
      if (lease === "keep") return keep(message, token);
      const due = dueAt(message);
      return due === null ? finish(message, token) : postpone(message, token, due);
    };

    return OutgoingJournal.of({
      insert: Effect.fnUntraced(function* (message, contents, lease) {
        const due = lease?.until ?? dueAt(message);
        const row: OutgoingRow = {
          id: message.id,
          account: message.account,
          ...waitColumns(message),
          asked: null,
          message_id: message.messageId,
          provider_message_id: message.providerMessageId ?? null,
          created_at: message.createdAt,
          due_at: due,
          lease_token: lease?.token ?? null,
          finished_at: null,
          record: outgoingJson.message.write(message),
        };
        const rows = {
          message: row,
          recipients: recipientRows(message),
          contents: outgoingJson.contents.write(contents),
        };
        yield* query((db) => outgoing.insert(db, rows));
        if (due !== null) yield* queue.wake(due);
      }, Effect.uninterruptible),

      contents: Effect.fnUntraced(function* (id) {
        const row = yield* query((db) =>
          db.selectFrom("outgoing_contents").select("contents").where("id", "=", id).executeTakeFirst(),
        );
        if (row === undefined) return Option.none();
        return yield* readJson(outgoingJson.contents, row.contents, { table: "outgoing_contents", id });
      }),

      claim: Effect.fnUntraced(function* (now, lease, limit) {
        for (;;) {
          const rows = yield* queue.claim(now, lease, limit);
          const messages = yield* Effect.forEach(rows, (row) => readable(row, lease.token));
          const claimed = messages.flatMap(Option.toArray);
          if (claimed.length > 0 || rows.length === 0) return claimed.toSorted(byAge);
        }
      }),

      claimOne: Effect.fn("OutgoingJournal.claimOne")(function* (account, id, now, lease) {
        const entry = yield* reads.find(account, id, now);
        if (Option.isNone(entry)) return Option.none();
        const row = yield* queue.claimOne(id, now, lease);
        return Option.isNone(row) ? Option.none() : yield* readable(row.value, lease.token);
      }),

      renew: queue.renew,
      release: queue.release,
      save,
      ...reads,

      hasUnfinished: Effect.fnUntraced(function* (account) {
        const { rows } = yield* query((db) => selectUnfinished(db, { account }));
        return rows.length > 0;
      }),

      ...outgoingChanges(database, queue),

      hasProbe: Effect.fnUntraced(function* (server, id, time) {
        const rows = yield* query((db) =>
          db
            .selectFrom("outgoing")
            .select("id")
            .where("waits_for", "=", server)
            .where("due_at", "<=", time)
            .where("lease_token", "is", null)
            .where("id", "<>", id)
            .limit(1)
            .execute(),
        );
        return rows.length > 0;
      }),

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
