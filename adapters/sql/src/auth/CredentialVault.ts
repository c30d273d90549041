import { type AccountId, StoreUnavailable } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect";
import { Database } from "../Database.ts";
import { modifyLocked } from "../modify-locked.ts";
import { RecordCipher, type RecordPlace } from "../RecordCipher.ts";
import type { CredentialRow } from "./tables.ts";

const Sealed = Schema.fromJsonString(Schema.Struct({ username: Schema.String, password: Schema.String }));
const encode = Schema.encodeEffect(Sealed);
const decode = Schema.decodeEffect(Sealed);

/** Returns the place of an account's credential. */
export const credentialPlace = (account: string): RecordPlace => ({ table: "credential", account, column: "sealed" });

/** Credentials in the table `credential`, user name and password sealed together (spec 3). */
export const layer: Layer.Layer<CredentialVault, never, Database | RecordCipher> = Layer.effect(
  CredentialVault,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query } = database;
    const cipher = yield* RecordCipher;

    /**
     * Fails as if the store were unavailable; a new sign-in replaces the credential. The log contains its version,
     * which identifies the row, and no address.
     */
    const unreadable = (version: number, detail: string) =>
      Effect.logError("a credential cannot be decrypted", { version, detail }).pipe(
        Effect.andThen(new StoreUnavailable({ detail: "a credential cannot be decrypted" })),
      );

    const opened = Effect.fnUntraced(function* (
      account: AccountId,
      { version, sealed }: Pick<CredentialRow, "version" | "sealed">,
    ) {
      const plain = yield* Effect.catch(cipher.open(sealed, credentialPlace(account)), ({ message }) =>
        unreadable(version, message),
      );
      const { username, password } = yield* Effect.catch(decode(new TextDecoder().decode(plain)), () =>
        unreadable(version, "it holds no user name and password"),
      );
      return { _tag: "Password" as const, username, password: Redacted.make(password), version };
    });

    return CredentialVault.of({
      keep: Effect.fn("CredentialVault.keep")(function* (account, { username, password }) {
        const text = yield* Effect.orDie(encode({ username, password: Redacted.value(password) }));
        const sealed = yield* cipher.seal(new TextEncoder().encode(text), credentialPlace(account));
        const kept_at = yield* Clock.currentTimeMillis;
        yield* query((db) =>
          db
            .insertInto("credential")
            .values({ account, version: kept_at, sealed, kept_at, rejected_at: null, rejection_told: 0 })
            .onConflict((conflict) =>
              conflict.column("account").doUpdateSet((row) => ({
                version: row("credential.version", "+", 1),
                sealed,
                kept_at,
                rejected_at: null,
                rejection_told: 0,
              })),
            )
            .execute(),
        );
      }),

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
        const row = yield* query((db) =>
          db
            .selectFrom("credential")
            .select("version")
            .where("account", "=", account)
            .where("rejected_at", "is", null)
            .executeTakeFirst(),
        );
        return row === undefined ? yield* new MailboxCredentialsRejected() : row.version;
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
        yield* query((db) =>
          db
            .updateTable("credential")
            .set({ rejected_at: null, rejection_told: 0 })
            .where("account", "=", account)
            .where("version", "=", version)
            .where("rejected_at", "is not", null)
            .execute(),
        );
      }),

      markRejected: Effect.fn("CredentialVault.markRejected")(function* (account, version) {
        const rejected_at = yield* Clock.currentTimeMillis;
        yield* query((db) =>
          db
            .updateTable("credential")
            .set({ rejected_at })
            .where("account", "=", account)
            .where("version", "=", version)
            .where("rejected_at", "is", null)
            .execute(),
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

      eraseUnless: Effect.fn("CredentialVault.eraseUnless")((account, inUse) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("credential").select("version").where("account", "=", account),
          Effect.fnUntraced(function* (row) {
            if (Option.isNone(row) || (yield* inUse)) return;
            yield* query((db) => db.deleteFrom("credential").where("account", "=", account).execute());
          }),
        ),
      ),
    });
  }),
);
