import { type Approval, ApprovalRecords, draftsJson, type PendingFilter } from "@postern/core/drafts";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { readJson } from "../database/read-json.ts";
import type { ApprovalRow, DraftsTables } from "../tables/drafts.ts";

const rowOf = (approval: Approval): ApprovalRow => ({
  id: approval.id,
  account: approval.account,
  draft: approval.draftId,
  requester: approval.by.id,
  state: approval.state,
  created_at: approval.createdAt,
  expires_at: approval.expiresAt,
  record: draftsJson.approval.write(approval),
});

const approvalOf = ({ id, record }: Pick<ApprovalRow, "id" | "record">) =>
  readJson(draftsJson.approval, record, { table: "approval", id });

const approvalsOf = (rows: ReadonlyArray<ApprovalRow>) =>
  Effect.map(Effect.forEach(rows, approvalOf), (read) => read.flatMap(Option.toArray));

const matches = (filter: PendingFilter) => (row: ExpressionBuilder<DraftsTables, "approval">) => {
  if ("draft" in filter) return row.and({ account: filter.account, draft: filter.draft });
  return "requester" in filter ? row("requester", "=", filter.requester) : row("expires_at", "<=", filter.expiresBy);
};

type Ids = SelectQueryBuilder<DraftsTables, "approval", Pick<ApprovalRow, "id">>;

/** Approvals in the table `approval` (spec 13.2). */
export const layer: Layer.Layer<ApprovalRecords, never, Database> = Layer.effect(
  ApprovalRecords,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;

    /** Deletes some approvals; returns their number. */
    const remove = Effect.fnUntraced(function* (choose: (all: Ids) => Ids) {
      const { numDeletedRows } = yield* query((db) => {
        const ids = choose(db.selectFrom("approval").select("id"));
        return db.deleteFrom("approval").where("id", "in", ids).executeTakeFirstOrThrow();
      });
      return Number(numDeletedRows);
    });

    return ApprovalRecords.of({
      insert: Effect.fn("ApprovalRecords.insert")(function* (approval) {
        yield* query((db) => db.insertInto("approval").values(rowOf(approval)).execute());
      }),

      find: Effect.fn("ApprovalRecords.find")(function* (account, id) {
        const row = yield* query((db) =>
          db.selectFrom("approval").selectAll().where("id", "=", id).where("account", "=", account).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* approvalOf(row);
      }),

      list: Effect.fn("ApprovalRecords.list")(function* (account, state, after, limit) {
        const rows = yield* query((db) =>
          db
            .selectFrom("approval")
            .selectAll()
            .where("account", "=", account)
            .$if(state !== undefined, (some) => some.where("state", "=", state!))
            .$if(after !== undefined, (some) =>
              some.where((row) => row(row.refTuple("created_at", "id"), "<", row.tuple(after!.at, after!.id))),
            )
            .orderBy("created_at", "desc")
            .orderBy("id", "desc")
            .limit(limit)
            .execute(),
        );
        return yield* approvalsOf(rows);
      }),

      pending: Effect.fn("ApprovalRecords.pending")(function* (filter, limit) {
        const rows = yield* query((db) =>
          db
            .selectFrom("approval")
            .selectAll()
            .where("state", "=", "pending")
            .where(matches(filter))
            .orderBy("created_at")
            .orderBy("id")
            .limit(limit)
            .execute(),
        );
        return yield* approvalsOf(rows);
      }),

      change: Effect.fn("ApprovalRecords.change")(
        <A>(account: AccountId, id: string, decide: (approval: Approval) => readonly [A, Approval]) =>
          modifyLocked(
            database,
            (db) => db.selectFrom("approval").selectAll().where("id", "=", id).where("account", "=", account),
            Effect.fnUntraced(function* (row) {
              const before = Option.isNone(row) ? Option.none() : yield* approvalOf(row.value);
              if (Option.isNone(before)) return Option.none();
              const [answer, after] = decide(before.value);
              if (after !== before.value) {
                yield* query((db) => db.updateTable("approval").set(rowOf(after)).where("id", "=", id).execute());
              }
              return Option.some(answer);
            }),
          ),
      ),

      forget: Effect.fn("ApprovalRecords.forget")((before, limit) =>
        remove((approvals) => approvals.where("state", "!=", "pending").where("created_at", "<", before).limit(limit)),
      ),

      erase: Effect.fn("ApprovalRecords.erase")(function* (account, limit) {
        return (yield* remove((approvals) => approvals.where("account", "=", account).limit(limit))) === limit;
      }),
    });
  }),
);
