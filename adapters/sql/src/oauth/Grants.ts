import { type Grant, oauthJson, Grants } from "@postern/core/oauth";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import { CredentialRows } from "../auth/CredentialRows.ts";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import type { RecordCipher } from "../database/RecordCipher.ts";

interface Row {
  readonly version: number;
  readonly sealed: string;
}

/** Grants in the table `credential`, which also has the passwords. */
export const layer: Layer.Layer<Grants, never, Database | RecordCipher> = Layer.effect(
  Grants,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;
    const rows = yield* CredentialRows;

    const grantOf = Effect.fnUntraced(function* (account: AccountId, row: Row) {
      const contents = yield* rows.open(account, row);
      return "grant" in contents ? oauthJson.grant.read(contents.grant) : Option.none<Grant>();
    });
    const contentsOf = (grant: Grant) => ({ username: grant.username, grant: oauthJson.grant.write(grant) });

    return Grants.of({
      keep: Effect.fn("Grants.keep")((grant) => rows.keep(grant.account, contentsOf(grant), grant.delegateOf)),

      find: Effect.fnUntraced(function* (account) {
        const row = yield* query((db) =>
          db.selectFrom("credential").select(["version", "sealed"]).where("account", "=", account).executeTakeFirst(),
        );
        return row === undefined ? Option.none() : yield* grantOf(account, row);
      }),

      change: Effect.fn("Grants.change")((account, decide) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("credential").select(["version", "sealed"]).where("account", "=", account),
          Effect.fnUntraced(function* (row) {
            const grant = Option.isNone(row) ? Option.none() : yield* grantOf(account, row.value);
            if (Option.isNone(grant)) return Option.none();
            const [answer, after] = decide(grant.value);
            if (after !== grant.value) {
              const sealed = yield* rows.seal(account, contentsOf(after));
              yield* query((db) =>
                db.updateTable("credential").set({ sealed }).where("account", "=", account).execute(),
              );
            }
            return Option.some(answer);
          }),
        ),
      ),

      listDelegates: Effect.fnUntraced(function* (account) {
        const found = yield* query((db) =>
          db.selectFrom("credential").select("account").where("delegate_of", "=", account).orderBy("account").execute(),
        );
        return found.map((row) => row.account as AccountId);
      }),
    });
  }),
).pipe(Layer.provide(CredentialRows.layer));
