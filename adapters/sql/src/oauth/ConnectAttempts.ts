import { type ConnectAttempt, oauthJson, ConnectAttempts, linkKeyOf } from "@postern/core/oauth";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { RecordCipher, type RecordPlace } from "../database/RecordCipher.ts";
import { openJson } from "./open-json.ts";

/** Returns the place of the sealed record of an attempt to connect an account. */
export const attemptPlace = (id: string): RecordPlace => ({ table: "connect_attempt", account: id, column: "sealed" });

interface Row {
  readonly id: string;
  readonly sealed: string;
}

/** Attempts to connect an account, in the table `connect_attempt`, sealed. */
export const layer: Layer.Layer<ConnectAttempts, never, Database | RecordCipher> = Layer.effect(
  ConnectAttempts,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;
    const cipher = yield* RecordCipher;

    const opened = ({ id, sealed }: Row) => openJson(cipher, oauthJson.attempt, sealed, attemptPlace(id));
    const openedIfAny = (row: Row | undefined) => (row === undefined ? Effect.succeedNone : opened(row));
    const sealed = (attempt: ConnectAttempt) =>
      cipher.seal(new TextEncoder().encode(oauthJson.attempt.write(attempt)), attemptPlace(attempt.id));

    return ConnectAttempts.of({
      insert: Effect.fn("ConnectAttempts.insert")(function* (attempt) {
        const row = {
          id: attempt.id,
          sealed: yield* sealed(attempt),
          network: attempt._tag === "Consent" ? attempt.network : null,
          expires_at: attempt.expiresAt,
          key: linkKeyOf(attempt) ?? null,
        };
        yield* query((db) => db.insertInto("connect_attempt").values(row).execute());
      }),

      find: Effect.fnUntraced(function* (id) {
        return yield* openedIfAny(
          yield* query((db) =>
            db.selectFrom("connect_attempt").select(["id", "sealed"]).where("id", "=", id).executeTakeFirst(),
          ),
        );
      }),

      take: Effect.fn("ConnectAttempts.take")(function* (id) {
        return yield* openedIfAny(
          yield* query((db) =>
            db.deleteFrom("connect_attempt").where("id", "=", id).returning(["id", "sealed"]).executeTakeFirst(),
          ),
        );
      }),

      change: Effect.fn("ConnectAttempts.change")((id, decide) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("connect_attempt").select(["id", "sealed"]).where("id", "=", id),
          Effect.fnUntraced(function* (row) {
            const attempt = yield* openedIfAny(Option.getOrUndefined(row));
            if (Option.isNone(attempt)) return Option.none();
            const [answer, after] = decide(attempt.value);
            const changed = { sealed: yield* sealed(after), expires_at: after.expiresAt };
            yield* query((db) => db.updateTable("connect_attempt").set(changed).where("id", "=", id).execute());
            return Option.some(answer);
          }),
        ),
      ),

      countFrom: Effect.fnUntraced(function* (network, now) {
        const { count } = yield* query((db) =>
          db
            .selectFrom("connect_attempt")
            .select((row) => row.fn.countAll<number | string>().as("count"))
            .where("network", "=", network)
            .where("expires_at", ">", now)
            .executeTakeFirstOrThrow(),
        );
        return Number(count);
      }),

      removeOf: Effect.fn("ConnectAttempts.removeOf")(function* (key, now) {
        const removed = yield* query((db) =>
          db.deleteFrom("connect_attempt").where("key", "=", key).returning("expires_at").execute(),
        );
        return removed.filter((row) => Number(row.expires_at) > now).length;
      }),

      removeExpired: Effect.fn("ConnectAttempts.removeExpired")(function* (before) {
        yield* query((db) => db.deleteFrom("connect_attempt").where("expires_at", "<", before).execute());
      }),
    });
  }),
);
