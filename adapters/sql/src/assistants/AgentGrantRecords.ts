import { type AgentGrant, AgentGrantRecords, assistantsJson } from "@postern/core/assistants";
import { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { isAfter, listAfter } from "../database/list-after.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { readJson } from "../database/read-json.ts";
import type { AssistantsTables } from "../tables/assistants.ts";

type Row = AssistantsTables["agent_grant"];

const rowOf = (grant: AgentGrant): Row => ({
  id: grant.id,
  account: grant.account,
  created_at: grant.createdAt,
  expires_at: grant.expiresAt,
  record: assistantsJson.grant.write(grant),
});

/**
 * Returns the grant of a row; none if the row cannot be read, because a grant without known limits must not be
 * accepted.
 */
const grantOf = ({ id, record }: Row) => readJson(assistantsJson.grant, record, { table: "agent_grant", id });

/** Grants of assistants in the table `agent_grant`. */
export const layer: Layer.Layer<AgentGrantRecords, never, Database> = Layer.effect(
  AgentGrantRecords,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;

    return AgentGrantRecords.of({
      insert: Effect.fn("AgentGrantRecords.insert")(function* (grant) {
        yield* query((db) => db.insertInto("agent_grant").values(rowOf(grant)).execute());
      }),

      find: Effect.fnUntraced(function* (id) {
        const row = yield* query((db) =>
          db.selectFrom("agent_grant").selectAll().where("id", "=", id).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* grantOf(row);
      }),

      change: Effect.fn("AgentGrantRecords.change")((id, decide) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("agent_grant").selectAll().where("id", "=", id),
          Effect.fnUntraced(function* (row) {
            const known = Option.isNone(row) ? Option.none() : yield* grantOf(row.value);
            if (Option.isNone(known)) return Option.none();
            const [answer, after] = decide(known.value);
            if (after === null) yield* query((db) => db.deleteFrom("agent_grant").where("id", "=", id).execute());
            else if (after !== known.value) {
              yield* query((db) => db.updateTable("agent_grant").set(rowOf(after)).where("id", "=", id).execute());
            }
            return Option.some(answer);
          }),
        ),
      ),

      list: Effect.fnUntraced(function* (account, now, after, limit) {
        const select = (place: typeof after, most: number) =>
          query((db) =>
            db
              .selectFrom("agent_grant")
              .selectAll()
              .where("account", "=", account)
              .where("expires_at", ">", now)
              .where(isAfter(place, ">"))
              .orderBy("created_at", "desc")
              .orderBy("id")
              .limit(most)
              .execute(),
          );
        return yield* listAfter(after, limit, select, grantOf);
      }),

      hasLive: Effect.fnUntraced(function* (account, now) {
        const one = yield* query((db) =>
          db
            .selectFrom("agent_grant")
            .select("id")
            .where("account", "=", account)
            .where("expires_at", ">", now)
            .limit(1)
            .executeTakeFirst(),
        );
        return one !== undefined;
      }),

      removeAll: Effect.fn("AgentGrantRecords.removeAll")(function* (account) {
        yield* query((db) => db.deleteFrom("agent_grant").where("account", "=", account).execute());
      }),

      removeExpired: Effect.fn("AgentGrantRecords.removeExpired")(function* (before, limit) {
        const rows = yield* query((db) =>
          db
            .deleteFrom("agent_grant")
            .where("expires_at", "<", before)
            .where("id", "in", (row) =>
              row
                .selectFrom("agent_grant")
                .select("id")
                .where("expires_at", "<", before)
                .orderBy("expires_at")
                .limit(limit),
            )
            .returning(["id", "account"])
            .execute(),
        );
        return rows.map(({ id, account }) => ({ id, account: AccountId(account) }));
      }),
    });
  }),
);
