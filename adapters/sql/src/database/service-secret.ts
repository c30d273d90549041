import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";
import { Database } from "./Database.ts";
import { SecretUnreadable } from "./errors.ts";
import { RecordCipher, type RecordPlace } from "./RecordCipher.ts";

/** Returns the place of a sealed secret of the service. */
export const serviceSecretPlace = (name: string): RecordPlace => ({
  table: "service_secret",
  account: name,
  column: "sealed",
});

/**
 * Returns a secret of the data, which all processes on the database share. The first process that needs it stores
 * `made`, sealed like a credential.
 */
export const serviceSecret = Effect.fnUntraced(function* (
  name: string,
  made: Uint8Array,
): Effect.fn.Return<Uint8Array, SecretUnreadable | StoreUnavailable, Database | RecordCipher> {
  const { query } = yield* Database;
  const cipher = yield* RecordCipher;
  const place = serviceSecretPlace(name);
  const sealed = yield* cipher.seal(made, place);
  yield* query((db) =>
    db
      .insertInto("service_secret")
      .values({ name, sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  const row = yield* query((db) =>
    db.selectFrom("service_secret").select("sealed").where("name", "=", name).executeTakeFirstOrThrow(),
  );
  return yield* Effect.mapError(
    cipher.open(row.sealed, place),
    ({ message }) => new SecretUnreadable({ name, detail: message }),
  );
});
