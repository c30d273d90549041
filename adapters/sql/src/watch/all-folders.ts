import type { FollowedMailboxes } from "@postern/core/watch";
import { Array, Effect, Option } from "effect";
import type { Database } from "../database/Database.ts";
import { cursorColumns, followedOfRow, seenOfRow } from "./seen-rows.ts";

/** The folder id of the row for following all folders of an account; no folder has this id. */
const EVERY_FOLDER = "*";
const INBOX = "inbox";

const AT_ONCE = 1_000;
const MAX_ALIKE = 1_000;

/** The following of all folders of an account. */
export const allFolders = ({
  query,
  transaction,
}: Pick<Database["Service"], "query" | "transaction">): Pick<
  FollowedMailboxes["Service"],
  "beginAll" | "listFollowed" | "end" | "endAll" | "findAlike" | "progress"
> => {
  const forgetCursors = (account: string) =>
    query((db) =>
      db.deleteFrom("followed_mailbox").where("account", "=", account).where("folder_id", "!=", INBOX).execute(),
    );
  const forgetSeen = (account: string) =>
    query((db) =>
      db.deleteFrom("seen_message").where("account", "=", account).where("folder_id", "!=", INBOX).execute(),
    );

  return {
    beginAll: Effect.fn("FollowedMailboxes.beginAll")(function* (account, present) {
      yield* forgetCursors(account);
      yield* forgetSeen(account);
      const marker = { uidValidity: 0, uidNext: 1, highestModSeq: null };
      const rows = [...[...present].filter(([id]) => id !== INBOX), [EVERY_FOLDER, marker] as const].map(
        ([folder_id, cursor]) => ({ account, folder_id, ...cursorColumns(cursor, cursor.uidNext) }),
      );
      for (const some of Array.chunksOf(rows, AT_ONCE)) {
        yield* query((db) => db.insertInto("followed_mailbox").values(some).execute());
      }
    }, transaction),

    listFollowed: Effect.fn("FollowedMailboxes.listFollowed")(function* (account) {
      const rows = yield* query((db) =>
        db.selectFrom("followed_mailbox").selectAll().where("account", "=", account).execute(),
      );
      if (!rows.some((row) => row.folder_id === EVERY_FOLDER)) return Option.none();
      const folders = rows.filter((row) => row.folder_id !== EVERY_FOLDER);
      return Option.some(new Map(folders.map((row) => [row.folder_id, followedOfRow(row)])));
    }),

    end: Effect.fn("FollowedMailboxes.end")(function* (account, folderId) {
      for (const table of ["followed_mailbox", "seen_message"] as const) {
        yield* query((db) =>
          db.deleteFrom(table).where("account", "=", account).where("folder_id", "=", folderId).execute(),
        );
      }
    }, transaction),

    endAll: Effect.fn("FollowedMailboxes.endAll")(function* (account) {
      yield* forgetCursors(account);
      yield* forgetSeen(account);
    }, transaction),

    findAlike: Effect.fn("FollowedMailboxes.findAlike")(function* (account, sizes) {
      const found = yield* Effect.forEach(Array.chunksOf(sizes, AT_ONCE), (some) =>
        query((db) =>
          db
            .selectFrom("seen_message")
            .selectAll()
            .where("account", "=", account)
            .where("size", "in", some)
            .limit(MAX_ALIKE)
            .execute(),
        ),
      );
      return found.flat().map((row) => ({ folderId: row.folder_id, message: seenOfRow(row) }));
    }),

    progress: Effect.fn("FollowedMailboxes.progress")(function* (account) {
      const folders = yield* query((db) =>
        db
          .selectFrom("followed_mailbox")
          .select("seen_from")
          .where("account", "=", account)
          .where("folder_id", "!=", EVERY_FOLDER)
          .execute(),
      );
      const { messages } = yield* query((db) =>
        db
          .selectFrom("seen_message")
          .select((row) => row.fn.countAll<number>().as("messages"))
          .where("account", "=", account)
          .executeTakeFirstOrThrow(),
      );
      return {
        folders: folders.length,
        done: folders.filter((row) => row.seen_from <= 1).length,
        messages: Number(messages),
      };
    }),
  };
};
