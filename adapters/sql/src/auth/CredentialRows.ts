import { type AccountId, StoreUnavailable } from "@postern/core/shared";
import { Clock, Context, Effect, Layer, Schema } from "effect";
import { Database } from "../database/Database.ts";
import { RecordCipher, type RecordPlace } from "../database/RecordCipher.ts";
import type { CredentialRow } from "../tables/auth.ts";

/** The secret of a row: a password, or the JSON of a grant. */
const Contents = Schema.Union([
  Schema.Struct({ username: Schema.String, password: Schema.String }),
  Schema.Struct({ username: Schema.String, grant: Schema.String }),
]);
type Contents = typeof Contents.Type;

const encode = Schema.encodeEffect(Schema.fromJsonString(Contents));
const decode = Schema.decodeEffect(Schema.fromJsonString(Contents));

/** Returns the place of the sealed credential of an account. */
export const credentialPlace = (account: string): RecordPlace => ({ table: "credential", account, column: "sealed" });

/** Seals and opens the rows of the table `credential` (spec 3). */
export class CredentialRows extends Context.Service<
  CredentialRows,
  {
    readonly seal: (account: AccountId, contents: Contents) => Effect.Effect<string>;
    /**
     * Opens a row. Fails as for an unavailable store if the row cannot be read; a new sign-in replaces the credential.
     */
    readonly open: (
      account: AccountId,
      row: Pick<CredentialRow, "version" | "sealed">,
    ) => Effect.Effect<Contents, StoreUnavailable>;
    /** Inserts or replaces the account's credential, with a new version, and clears its rejection. */
    readonly keep: (
      account: AccountId,
      contents: Contents,
      delegateOf: AccountId | null,
    ) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/sql/auth/CredentialRows") {
  static readonly layer = Layer.effect(
    CredentialRows,
    Effect.gen(function* () {
      const { query } = yield* Database;
      const cipher = yield* RecordCipher;

      /** Logs an unreadable row by the version of the credential, which identifies the row without an address. */
      const unreadable = (version: number, detail: string) =>
        Effect.logError("a credential cannot be decrypted", { version, detail }).pipe(
          Effect.andThen(new StoreUnavailable({ detail: "a credential cannot be decrypted", isSealed: true })),
        );

      const seal = Effect.fnUntraced(function* (account: AccountId, contents: Contents) {
        const text = yield* Effect.orDie(encode(contents));
        return yield* cipher.seal(new TextEncoder().encode(text), credentialPlace(account));
      });

      return CredentialRows.of({
        seal,
        open: Effect.fnUntraced(function* (account, { version, sealed }) {
          const plain = yield* Effect.catch(cipher.open(sealed, credentialPlace(account)), ({ message }) =>
            unreadable(version, message),
          );
          return yield* Effect.catch(decode(new TextDecoder().decode(plain)), () =>
            unreadable(version, "it holds no user name and password"),
          );
        }),
        keep: Effect.fnUntraced(function* (account, contents, delegateOf) {
          const kept_at = yield* Clock.currentTimeMillis;
          const fields = {
            sealed: yield* seal(account, contents),
            kept_at,
            rejected_at: null,
            rejection_told: 0,
            delegate_of: delegateOf,
          };
          yield* query((db) =>
            db
              .insertInto("credential")
              .values({ account, version: kept_at, ...fields })
              .onConflict((conflict) =>
                conflict
                  .column("account")
                  .doUpdateSet((row) => ({ version: row("credential.version", "+", 1), ...fields })),
              )
              .execute(),
          );
        }),
      });
    }),
  );
}
