import { type OAuthApp, oauthJson, OAuthApps } from "@postern/core/oauth";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { RecordCipher, type RecordPlace } from "../database/RecordCipher.ts";
import { openJson } from "./open-json.ts";

/** Returns the place of the sealed record of an app. */
export const appPlace = (id: string): RecordPlace => ({ table: "oauth_app", account: id, column: "sealed" });

/** Apps in the table `oauth_app`, sealed. */
export const layer: Layer.Layer<OAuthApps, never, Database | RecordCipher> = Layer.effect(
  OAuthApps,
  Effect.gen(function* () {
    const { query } = yield* Database;
    const cipher = yield* RecordCipher;
    const opened = ({ id, sealed }: { readonly id: string; readonly sealed: string }) =>
      openJson(cipher, oauthJson.app, sealed, appPlace(id));

    return OAuthApps.of({
      keep: Effect.fn("OAuthApps.keep")(function* (app: OAuthApp) {
        const sealed = yield* cipher.seal(new TextEncoder().encode(oauthJson.app.write(app)), appPlace(app.id));
        yield* query((db) =>
          db
            .insertInto("oauth_app")
            .values({ id: app.id, sealed })
            .onConflict((conflict) => conflict.column("id").doUpdateSet({ sealed }))
            .execute(),
        );
      }),
      find: Effect.fnUntraced(function* (id) {
        const row = yield* query((db) =>
          db.selectFrom("oauth_app").selectAll().where("id", "=", id).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* opened(row);
      }),
      list: Effect.gen(function* () {
        const rows = yield* query((db) => db.selectFrom("oauth_app").selectAll().orderBy("id").execute());
        return (yield* Effect.forEach(rows, opened)).flatMap(Option.toArray);
      }).pipe(Effect.withSpan("OAuthApps.list")),
      remove: Effect.fn("OAuthApps.remove")(function* (id) {
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("oauth_app").where("id", "=", id).executeTakeFirst(),
        );
        return numDeletedRows > 0n;
      }),
    });
  }),
);
