import { assistantsJson, AuthorizationCodes } from "@postern/core/assistants";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { readJson } from "../database/read-json.ts";

/** Codes in the table `authorization_code`. */
export const layer: Layer.Layer<AuthorizationCodes, never, Database> = Layer.effect(
  AuthorizationCodes,
  Effect.gen(function* () {
    const { query } = yield* Database;

    return AuthorizationCodes.of({
      insert: Effect.fn("AuthorizationCodes.insert")(function* (code) {
        const { id, account, expiresAt } = code;
        const row = { id, account, expires_at: expiresAt, record: assistantsJson.code.write(code) };
        yield* query((db) => db.insertInto("authorization_code").values(row).execute());
      }),

      take: Effect.fn("AuthorizationCodes.take")(function* (id) {
        const row = yield* query((db) =>
          db.deleteFrom("authorization_code").where("id", "=", id).returning(["id", "record"]).executeTakeFirst(),
        );
        return row === undefined
          ? Option.none()
          : yield* readJson(assistantsJson.code, row.record, { table: "authorization_code", id: row.id });
      }),

      removeAll: Effect.fn("AuthorizationCodes.removeAll")(function* (account) {
        yield* query((db) => db.deleteFrom("authorization_code").where("account", "=", account).execute());
      }),

      removeExpired: Effect.fn("AuthorizationCodes.removeExpired")(function* (before) {
        yield* query((db) => db.deleteFrom("authorization_code").where("expires_at", "<", before).execute());
      }),
    });
  }),
);
