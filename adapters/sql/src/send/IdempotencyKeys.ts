import { AccountId, StoreUnavailable } from "@postern/core/shared";
import { IdempotencyKeys, type IdempotencyRecord, type SendAnswer, outgoingJson } from "@postern/core/send";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { readJson } from "../database/read-json.ts";
import type { IdempotencyKeyRow } from "../tables/send.ts";

/**
 * Returns the record of a row. Fails if the answer cannot be read, because a request with this key must neither get
 * another answer nor be sent again.
 */
const recordOf = Effect.fnUntraced(function* (
  row: IdempotencyKeyRow,
): Effect.fn.Return<IdempotencyRecord, StoreUnavailable> {
  const answer =
    row.answer === null
      ? Option.some(null)
      : yield* readJson(outgoingJson.answer, row.answer, { table: "idempotency_key", id: row.outgoing_id });
  if (Option.isNone(answer)) return yield* new StoreUnavailable({ detail: "a recorded answer cannot be read" });
  return {
    account: AccountId(row.account),
    key: row.key,
    bodyHash: row.body_hash,
    outgoingId: row.outgoing_id,
    createdAt: row.created_at,
    answer: answer.value,
  };
});

const answerText = (answer: SendAnswer | null): string | null =>
  answer === null ? null : outgoingJson.answer.write(answer);

/** Keys in the table `idempotency_key` (spec 6). */
export const layer: Layer.Layer<IdempotencyKeys, never, Database> = Layer.effect(
  IdempotencyKeys,
  Effect.gen(function* () {
    const { query } = yield* Database;

    return IdempotencyKeys.of({
      find: Effect.fnUntraced(function* (account, key) {
        const row = yield* query((db) =>
          db
            .selectFrom("idempotency_key")
            .selectAll()
            .where("account", "=", account)
            .where("key", "=", key)
            .executeTakeFirst(),
        );
        return row === undefined ? Option.none() : Option.some(yield* recordOf(row));
      }),

      take: Effect.fnUntraced(function* (record, expired) {
        const row = {
          body_hash: record.bodyHash,
          outgoing_id: record.outgoingId,
          created_at: record.createdAt,
          answer: answerText(record.answer),
        };
        const taken = yield* query((db) =>
          db
            .insertInto("idempotency_key")
            .values({ account: record.account, key: record.key, ...row })
            .onConflict((conflict) =>
              conflict.columns(["account", "key"]).doUpdateSet(row).where("idempotency_key.created_at", "<=", expired),
            )
            .returning("outgoing_id")
            .execute(),
        );
        return taken.length === 1;
      }),

      answer: Effect.fnUntraced(function* (outgoingId, answer) {
        yield* query((db) =>
          db
            .updateTable("idempotency_key")
            .set({ answer: answerText(answer) })
            .where("outgoing_id", "=", outgoingId)
            .where("answer", "is", null)
            .execute(),
        );
      }),

      forget: Effect.fn("IdempotencyKeys.forget")(function* (before, limit) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("idempotency_key")
            .where("outgoing_id", "in", (some) =>
              some.selectFrom("idempotency_key").select("outgoing_id").where("created_at", "<=", before).limit(limit),
            )
            // A key that was reused in the meantime belongs to another message.
            .where("created_at", "<=", before)
            .executeTakeFirstOrThrow(),
        );
        return Number(numDeletedRows);
      }),

      erase: Effect.fn("IdempotencyKeys.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("idempotency_key").where("account", "=", account).execute());
      }),
    });
  }),
);
