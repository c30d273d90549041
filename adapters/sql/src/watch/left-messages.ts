import type { FollowedMailboxes, LeftMessage } from "@postern/core/watch";
import { Array, Effect } from "effect";
import type { Database } from "../database/Database.ts";
import { columnsOf, fingerprintOf } from "./fingerprint-columns.ts";

/** Maximum number of rows in one statement. */
const AT_ONCE = 1_000;

/** Messages that left mailboxes, in the table `left_message`. */
export const leftMessages = (
  query: Database["Service"]["query"],
): Pick<FollowedMailboxes["Service"], "recordLeft" | "findLeft" | "forgetLeft"> => ({
  recordLeft: Effect.fn("FollowedMailboxes.recordLeft")(function* (account, folderId, messages) {
    for (const some of Array.chunksOf(messages, AT_ONCE)) {
      const rows = some.map((one) => ({ ...columnsOf(account, folderId, one), id: one.id, left_at: one.leftAt }));
      yield* query((db) => db.insertInto("left_message").values(rows).execute());
    }
  }),

  findLeft: Effect.fn("FollowedMailboxes.findLeft")(function* (account, folderId, sizes, since) {
    const found = yield* Effect.forEach(Array.chunksOf([...new Set(sizes)], AT_ONCE), (some) =>
      query((db) =>
        db
          .selectFrom("left_message")
          .selectAll()
          .where("account", "=", account)
          .where("folder_id", "=", folderId)
          .where("size", "in", some)
          .where("left_at", ">=", since)
          .execute(),
      ),
    );
    return found.flat().map((row): LeftMessage => ({ ...fingerprintOf(row), id: row.id, leftAt: row.left_at }));
  }),

  forgetLeft: Effect.fn("FollowedMailboxes.forgetLeft")(function* (account, ids) {
    for (const some of Array.chunksOf(ids, AT_ONCE)) {
      yield* query((db) =>
        db.deleteFrom("left_message").where("account", "=", account).where("id", "in", some).execute(),
      );
    }
  }),
});
