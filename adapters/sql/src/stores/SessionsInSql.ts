import { AccountId, type Session, Sessions } from "@postern/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "../Database.ts";
import type { SessionRow } from "../Tables.ts";

const rowOf = (session: Session): SessionRow => ({
  id: session.id,
  account: session.account,
  created_at: session.createdAt,
  expires_at: session.expiresAt,
  absolute_expires_at: session.absoluteExpiresAt,
  ended_at: session.endedAt,
});

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  account: AccountId(row.account),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  absoluteExpiresAt: row.absolute_expires_at,
  endedAt: row.ended_at,
});

/** Sessions in the table `session` (decisions 3). */
export const SessionsInSql: Layer.Layer<Sessions, never, Database> = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const { query } = yield* Database;

    return Sessions.of({
      insert: Effect.fn("Sessions.insert")(function* (session) {
        yield* query((db) => db.insertInto("session").values(rowOf(session)).execute());
      }),

      find: Effect.fnUntraced(function* (id) {
        // PostgreSQL refuses NUL in text, even to compare with.
        if (id.includes("\0")) return Option.none();
        const row = yield* query((db) => db.selectFrom("session").selectAll().where("id", "=", id).executeTakeFirst());
        return Option.map(Option.fromUndefinedOr(row), sessionOf);
      }),
    });
  }),
);
