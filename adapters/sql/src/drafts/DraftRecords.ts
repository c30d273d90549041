import { type Draft, DraftRecords, draftsJson } from "@postern/core/drafts";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import type { ExpressionBuilder } from "kysely";
import { Database } from "../database/Database.ts";
import { leasedQueue } from "../database/leased-queue.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { readJson } from "../database/read-json.ts";
import type { DraftRow } from "../tables/drafts.ts";
import type { Tables } from "../tables/Tables.ts";

const columnsOf = (draft: Draft): Pick<DraftRow, "state" | "saved_at" | "has_copy" | "record"> => ({
  state: draft.state,
  saved_at: draft.savedAt,
  has_copy: draft.copy === null ? 0 : 1,
  record: draftsJson.draft.write(draft),
});

const draftOf = ({ id, record }: Pick<DraftRow, "id" | "record">) =>
  readJson(draftsJson.draft, record, { table: "draft", id });

/** Drafts in the table `draft` (spec 12.1). */
export const layer: Layer.Layer<DraftRecords, never, Database> = Layer.effect(
  DraftRecords,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;
    const queue = yield* Effect.orDie(leasedQueue(database, "draft"));

    const wake = ({ checkAt }: Draft) => (checkAt === null ? Effect.void : queue.wake(checkAt));

    /** Returns a claimed draft. Sets an unreadable draft aside, so that it is never due again. */
    const readable = (row: DraftRow, token: string) =>
      Effect.tap(draftOf(row), (draft) =>
        Option.isSome(draft) ? Effect.void : Effect.asVoid(queue.postpone(row.id, token, null)),
      );

    return DraftRecords.of({
      insert: Effect.fn("DraftRecords.insert")(function* (draft) {
        const inserted = yield* query((db) =>
          db
            .insertInto("draft")
            .values({
              id: draft.id,
              account: draft.account,
              due_at: draft.checkAt,
              lease_token: null,
              ...columnsOf(draft),
            })
            .onConflict((conflict) => conflict.column("id").doNothing())
            .returning("id")
            .executeTakeFirst(),
        );
        if (inserted === undefined) return false;
        yield* wake(draft);
        return true;
      }, Effect.uninterruptible),

      find: Effect.fn("DraftRecords.find")(function* (account, id) {
        if (id.includes("\0")) return Option.none();
        const row = yield* query((db) =>
          db.selectFrom("draft").selectAll().where("id", "=", id).where("account", "=", account).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* draftOf(row);
      }),

      list: Effect.fn("DraftRecords.list")(function* (account) {
        const rows = yield* query((db) =>
          db
            .selectFrom("draft")
            .selectAll()
            .where("account", "=", account)
            .where("state", "!=", "sent")
            .orderBy("saved_at", "desc")
            .orderBy("id")
            .execute(),
        );
        return (yield* Effect.forEach(rows, draftOf)).flatMap(Option.toArray);
      }),

      change: Effect.fn("DraftRecords.change")(function* <A>(
        account: AccountId,
        id: string,
        decide: (draft: Draft) => readonly [A, Draft],
      ) {
        if (id.includes("\0")) return Option.none();
        return yield* modifyLocked(
          database,
          (db) => db.selectFrom("draft").selectAll().where("id", "=", id).where("account", "=", account),
          Effect.fnUntraced(function* (row) {
            const before = Option.isNone(row) ? Option.none() : yield* draftOf(row.value);
            if (Option.isNone(before)) return Option.none();
            const [answer, after] = decide(before.value);
            if (after === before.value) return Option.some(answer);
            const isMoved = after.checkAt !== before.value.checkAt;
            const columns = isMoved
              ? { ...columnsOf(after), due_at: after.checkAt, lease_token: null }
              : columnsOf(after);
            yield* query((db) => db.updateTable("draft").set(columns).where("id", "=", id).execute());
            if (isMoved) yield* wake(after);
            return Option.some(answer);
          }),
        );
      }),

      remove: Effect.fn("DraftRecords.remove")(function* (account, id) {
        yield* query((db) => db.deleteFrom("draft").where("id", "=", id).where("account", "=", account).execute());
      }),

      claim: Effect.fn("DraftRecords.claim")(function* (now, lease, limit) {
        for (;;) {
          const rows = yield* queue.claim(now, lease, limit);
          const claimed = (yield* Effect.forEach(rows, (row) => readable(row, lease.token))).flatMap(Option.toArray);
          if (claimed.length > 0 || rows.length === 0) return claimed;
        }
      }),

      renew: queue.renew,
      release: queue.release,
      nextDue: queue.nextDue,
      changed: queue.changed,

      hasUnfinished: Effect.fn("DraftRecords.hasUnfinished")(function* (account) {
        const row = yield* query((db) =>
          db
            .selectFrom("draft")
            .select("id")
            .where("account", "=", account)
            .where("due_at", "is not", null)
            .limit(1)
            .executeTakeFirst(),
        );
        return row !== undefined;
      }),

      forget: Effect.fn("DraftRecords.forget")(function* (before, limit) {
        const isOld = (row: ExpressionBuilder<Tables, "draft">) =>
          row.and([row("has_copy", "=", 0), row("due_at", "is", null), row("saved_at", "<", before)]);
        const rows = yield* query((db) =>
          db
            .deleteFrom("draft")
            .where("id", "in", (some) => some.selectFrom("draft").select("id").where(isOld).limit(limit))
            // A draft that was saved in the meantime is kept.
            .where(isOld)
            .returning("id")
            .execute(),
        );
        return rows.map(({ id }) => id);
      }),

      erase: Effect.fn("DraftRecords.erase")(function* (account, limit) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("draft")
            .where("id", "in", (some) =>
              some.selectFrom("draft").select("id").where("account", "=", account).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        );
        return numDeletedRows === BigInt(limit);
      }),
    });
  }),
);
