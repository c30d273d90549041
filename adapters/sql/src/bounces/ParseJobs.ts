import { parseJobJson, ParseJobs } from "@postern/core/bounces";
import { Array, Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { leasedQueue } from "../database/leased-queue.ts";
import { readJson } from "../database/read-json.ts";
import type { ParseJobRow } from "../tables/bounces.ts";

/** Maximum number of rows in one INSERT, because a statement has a limited number of parameters. */
const ROWS_AT_ONCE = 1_000;

/** Possible reports in the table `parse_job`, and the reported recipients in `reported_recipient` (spec 7). */
export const layer: Layer.Layer<ParseJobs, never, Database> = Layer.effect(
  ParseJobs,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, transaction } = database;
    const queue = yield* Effect.orDie(leasedQueue(database, "parse_job"));

    /**
     * Returns a claimed job. Sets an unreadable job aside, so that it is never due again, and removes the account's
     * address from the logged id.
     */
    const readable = ({ id, account, record }: ParseJobRow, token: string) =>
      Effect.tap(readJson(parseJobJson, record, { table: "parse_job", id: id.replace(account, "…") }), (job) =>
        Option.isNone(job) ? queue.postpone(id, token, null) : Effect.void,
      );

    return ParseJobs.of({
      insert: Effect.fn("ParseJobs.insert")(function* (jobs, now) {
        for (const some of Array.chunksOf(jobs, ROWS_AT_ONCE)) {
          const rows = some.map((job) => ({
            id: job.id,
            account: job.account,
            due_at: now,
            lease_token: null,
            record: parseJobJson.write(job),
          }));
          yield* query((db) =>
            db
              .insertInto("parse_job")
              .values(rows)
              .onConflict((conflict) => conflict.column("id").doNothing())
              .execute(),
          );
        }
        if (jobs.length > 0) yield* queue.wake(now);
      }, transaction),

      claim: Effect.fn("ParseJobs.claim")(function* (now, lease, limit) {
        for (;;) {
          const rows = yield* queue.claim(now, lease, limit);
          const jobs = yield* Effect.forEach(rows, (row) => readable(row, lease.token));
          const claimed = jobs.flatMap(Option.toArray);
          if (claimed.length > 0 || rows.length === 0) return claimed;
        }
      }),

      postpone: Effect.fn("ParseJobs.postpone")(function* ({ job, dueAt }, token) {
        if (!(yield* queue.postpone(job.id, token, dueAt))) return false;
        yield* query((db) =>
          db
            .updateTable("parse_job")
            .set({ record: parseJobJson.write(job) })
            .where("id", "=", job.id)
            .execute(),
        );
        yield* queue.wake(dueAt);
        return true;
      }, transaction),

      finish: Effect.fn("ParseJobs.finish")(function* (id, token) {
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("parse_job").where("id", "=", id).where("lease_token", "=", token).executeTakeFirstOrThrow(),
        );
        return numDeletedRows === 1n;
      }),

      report: Effect.fn("ParseJobs.report")(function* ({ sentId, recipient, kind }) {
        const row = yield* query((db) =>
          db
            .insertInto("reported_recipient")
            .values({ outgoing_id: sentId, recipient, kind })
            .onConflict((conflict) => conflict.columns(["outgoing_id", "recipient", "kind"]).doNothing())
            .returning("outgoing_id")
            .executeTakeFirst(),
        );
        return row !== undefined;
      }),

      erase: Effect.fn("ParseJobs.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("parse_job").where("account", "=", account).execute());
      }),

      renew: queue.renew,
      release: queue.release,
      nextDue: queue.nextDue,
      changed: queue.changed,
    });
  }),
);
