import { dueAt, ordersFor, type OutgoingJournal, type OutgoingMessage, outgoingJson } from "@postern/core/send";
import { Clock, Effect } from "effect";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database/Database.ts";
import { idsParameter } from "../database/ids-parameter.ts";
import type { LeasedQueue } from "../database/leased-queue.ts";
import type { OutgoingRow } from "../tables/send.ts";
import type { Tables } from "../tables/Tables.ts";
import { foundBy, messagesOf, type OutgoingFilter, waitColumns } from "./outgoing-rows.ts";

/** The number of messages that are read and changed at a time within one transaction that changes all. */
const CHANGED_AT_ONCE = 500;

const ifChanged = (next: OutgoingMessage, before: OutgoingMessage) => (next === before ? [] : [next]);

const REWRITTEN = {
  id: "text",
  key_id: "text",
  application: "text",
  waits_for: "text",
  state: "text",
  asked: "text",
  due_at: "bigint",
  finished_at: "bigint",
  record: "text",
} as const;

/** The operations of the journal that change many messages, each batch by a few statements. */
export const outgoingChanges = (
  { query, together, lockRows, tableOf }: Database["Service"],
  queue: Pick<LeasedQueue<OutgoingRow>, "wake">,
): Pick<OutgoingJournal["Service"], "changeWaiting" | "changeSlice"> => {
  /** Writes changed messages that are not leased. */
  const rewrite = Effect.fnUntraced(function* (messages: ReadonlyArray<OutgoingMessage>) {
    if (messages.length === 0) return;
    const now = yield* Clock.currentTimeMillis;
    const rows = messages.map((message) => {
      const asked = ordersFor(message).find((one) => one === message.asked) ?? null;
      const due_at = asked === null ? dueAt(message) : 0;
      const finished_at = due_at === null ? now : null;
      const record = outgoingJson.message.write(message);
      return { id: message.id, ...waitColumns(message), asked, due_at, finished_at, record };
    });
    yield* query((db) =>
      sql`
        update ${sql.table("outgoing")} set key_id = put.key_id, application = put.application,
          waits_for = put.waits_for, state = put.state, asked = put.asked, due_at = put.due_at, finished_at = put.finished_at,
          record = put.record
        from ${tableOf(REWRITTEN, rows)} put where outgoing.id = put.id`.execute(db),
    );
    const finished = rows.flatMap(({ id, due_at }) => (due_at === null ? [id] : []));
    if (finished.length > 0) {
      yield* query((db) =>
        db.deleteFrom("outgoing_contents").where("id", "in", idsParameter(tableOf, finished)).execute(),
      );
    }
    const soonest = rows.reduce((least, { due_at }) => Math.min(least, due_at ?? Infinity), Infinity);
    if (soonest < Infinity) yield* queue.wake(soonest);
  });

  const unfinished = (db: Kysely<Tables>, whose: OutgoingFilter, now: number) =>
    db
      .selectFrom("outgoing")
      .select(["id", "record", "asked", "lease_token"])
      .where(foundBy(whose, now))
      .where("due_at", "is not", null);

  const changesOf = (
    rows: ReadonlyArray<Pick<OutgoingRow, "id" | "record" | "asked">>,
    change: (message: OutgoingMessage) => OutgoingMessage,
  ) => Effect.map(messagesOf(rows), (messages) => messages.flatMap((message) => ifChanged(change(message), message)));

  const changeWaiting = Effect.fn("OutgoingJournal.changeWaiting")(function* (
    whose: OutgoingFilter,
    change: (message: OutgoingMessage) => OutgoingMessage,
    limit?: number,
  ) {
    const waiting = (db: Kysely<Tables>) => unfinished(db, whose, 0).where("lease_token", "is", null);
    if (limit !== undefined) {
      const first = (db: Kysely<Tables>) => waiting(db).orderBy("due_at").orderBy("id").limit(limit);
      const changed = yield* changesOf(yield* query((db) => lockRows(first(db)).execute()), change);
      yield* rewrite(changed);
      return changed;
    }
    const all: Array<OutgoingMessage> = [];
    for (let after = ""; ;) {
      const next = (db: Kysely<Tables>) => waiting(db).where("id", ">", after).orderBy("id").limit(CHANGED_AT_ONCE);
      const rows = yield* query((db) => lockRows(next(db)).execute());
      const changed = yield* changesOf(rows, change);
      yield* rewrite(changed);
      all.push(...changed);
      const last = rows.at(-1);
      if (last === undefined || rows.length < CHANGED_AT_ONCE) return all;
      after = last.id;
    }
  }, together);

  const changeSlice = Effect.fn("OutgoingJournal.changeSlice")(function* (
    ...[whose, change, { after, limit, now, asked }]: Parameters<OutgoingJournal["Service"]["changeSlice"]>
  ) {
    const next = (db: Kysely<Tables>) => unfinished(db, whose, now).where("id", ">", after).orderBy("id").limit(limit);
    const rows = yield* query((db) => lockRows(next(db)).execute());
    const open = rows.filter((row) => row.asked !== "cancel");
    const messages = yield* messagesOf(open);
    const leased = new Set(open.flatMap(({ id, lease_token }) => (lease_token === null ? [] : [id])));
    const isSending = (message: OutgoingMessage) =>
      leased.has(message.id) || message.recipients.some(({ state }) => state === "dot");
    const changed = messages.flatMap((message) =>
      isSending(message) ? [] : ifChanged(change(message, false), message),
    );
    yield* rewrite(changed);
    const asking =
      asked === undefined
        ? []
        : messages.filter(
            (message) => isSending(message) && message.asked !== asked && change(message, true) !== message,
          );
    const ids = asking.map(({ id }) => id);
    if (ids.length > 0) {
      yield* query((db) =>
        db
          .updateTable("outgoing")
          .set({ asked: asked ?? null })
          .where("id", "in", idsParameter(tableOf, ids))
          .execute(),
      );
    }
    return { changed, asked: ids.length, last: rows.length < limit ? null : rows.at(-1)!.id };
  }, together);

  return { changeWaiting, changeSlice };
};
