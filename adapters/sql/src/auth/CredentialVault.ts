import type { AccountId, StoreUnavailable } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault, type KeptCredential } from "@postern/core/auth";
import { Clock, Effect, Layer, Option, Redacted } from "effect";
import type { Kysely } from "kysely";
import { compiledWith } from "../database/compiled-once.ts";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import type { RecordCipher } from "../database/RecordCipher.ts";
import { CredentialRows } from "./CredentialRows.ts";
import type { CredentialRow } from "../tables/auth.ts";
import type { Tables } from "../tables/Tables.ts";

/** Credentials in the table `credential`, user name and password sealed together (spec 3). */
export const layer: Layer.Layer<CredentialVault, never, Database | RecordCipher> = Layer.effect(
  CredentialVault,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;
    const rows = yield* CredentialRows;

    const opened = Effect.fnUntraced(function* (
      account: AccountId,
      row: Pick<CredentialRow, "version" | "sealed">,
    ): Effect.fn.Return<KeptCredential, StoreUnavailable> {
      const { username, ...contents } = yield* rows.open(account, row);
      const { version } = row;
      return "password" in contents
        ? { _tag: "Password", username, password: Redacted.make(contents.password), version }
        : { _tag: "Grant", username, version };
    });

    const selectVersion = compiledWith((db, { account }: { readonly account: AccountId }) =>
      db.selectFrom("credential").select("version").where("account", "=", account).where("rejected_at", "is", null),
    );

    const selectHeld = compiledWith((db, { account }: { readonly account: AccountId }) =>
      database.lockRows(
        db.selectFrom("credential").select("version").where("account", "=", account).where("rejected_at", "is", null),
      ),
    );

    const ofVersion = (db: Kysely<Tables>, account: AccountId, version: number) =>
      db.updateTable("credential").where("account", "=", account).where("version", "=", version);

    return CredentialVault.of({
      keep: Effect.fn("CredentialVault.keep")((account, { username, password }) =>
        rows.keep(account, { username, password: Redacted.value(password) }, null),
      ),

      reveal: Effect.fnUntraced(function* (account) {
        const row = yield* query((db) =>
          db
            .selectFrom("credential")
            .select(["version", "sealed"])
            .where("account", "=", account)
            .where("rejected_at", "is", null)
            .executeTakeFirst(),
        );
        return row === undefined ? yield* new MailboxCredentialsRejected() : yield* opened(account, row);
      }),

      version: Effect.fnUntraced(function* (account) {
        const { rows } = yield* query((db) => selectVersion(db, { account }));
        return rows[0] === undefined ? yield* new MailboxCredentialsRejected() : rows[0].version;
      }),

      hold: Effect.fnUntraced(function* (account) {
        const { rows } = yield* query((db) => selectHeld(db, { account }));
        if (rows[0] === undefined) return yield* new MailboxCredentialsRejected();
      }),

      find: Effect.fnUntraced(function* (account) {
        const row = yield* query((db) =>
          db
            .selectFrom("credential")
            .select(["version", "sealed", "rejected_at"])
            .where("account", "=", account)
            .executeTakeFirst(),
        );
        if (row === undefined) return Option.none();
        return Option.some({ ...(yield* opened(account, row)), rejectedAt: row.rejected_at });
      }),

      markAccepted: Effect.fn("CredentialVault.markAccepted")(function* (account, version) {
        const { numUpdatedRows } = yield* query((db) =>
          ofVersion(db, account, version)
            .set({ rejected_at: null, rejection_told: 0 })
            .where("rejected_at", "is not", null)
            .executeTakeFirst(),
        );
        return numUpdatedRows > 0n;
      }),

      markRejected: Effect.fn("CredentialVault.markRejected")(function* (account, version) {
        const rejected_at = yield* Clock.currentTimeMillis;
        yield* query((db) =>
          ofVersion(db, account, version).set({ rejected_at }).where("rejected_at", "is", null).execute(),
        );
      }),

      takeRejection: Effect.fn("CredentialVault.takeRejection")(function* (account) {
        const { numUpdatedRows } = yield* query((db) =>
          db
            .updateTable("credential")
            .set({ rejection_told: 1 })
            .where("account", "=", account)
            .where("rejected_at", "is not", null)
            .where("rejection_told", "=", 0)
            .executeTakeFirst(),
        );
        return numUpdatedRows > 0n;
      }),

      listUnannounced: Effect.fn("CredentialVault.listUnannounced")(function* (limit) {
        const found = yield* query((db) =>
          db
            .selectFrom("credential")
            .select("account")
            .where("rejected_at", "is not", null)
            .where("rejection_told", "=", 0)
            .orderBy("account")
            .limit(limit)
            .execute(),
        );
        return found.map(({ account }) => account as AccountId);
      }),

      listUnmanaged: Effect.fn("CredentialVault.listUnmanaged")(function* (after, limit) {
        const found = yield* query((db) =>
          db
            .selectFrom("credential")
            .select("account")
            .where((row) =>
              row.not(
                row.exists(
                  row
                    .selectFrom("account")
                    .select("account.account")
                    .whereRef("account.account", "=", "credential.account")
                    .where("managed", "=", 1),
                ),
              ),
            )
            .$if(after !== null, (some) => some.where("credential.account", ">", after!))
            .orderBy("account")
            .limit(limit)
            .execute(),
        );
        return found.map(({ account }) => account as AccountId);
      }),

      eraseUnless: Effect.fn("CredentialVault.eraseUnless")((account, inUse) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("credential").select("version").where("account", "=", account),
          Effect.fnUntraced(function* (row) {
            if (Option.isNone(row) || (yield* inUse)) return false;
            yield* query((db) => db.deleteFrom("credential").where("account", "=", account).execute());
            return true;
          }),
        ),
      ),
    });
  }),
).pipe(Layer.provide(CredentialRows.layer));
