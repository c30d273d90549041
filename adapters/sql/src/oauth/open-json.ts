import { type StoredJson, StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { missingKeyOf, type RecordCipher, type RecordPlace } from "../database/RecordCipher.ts";

/**
 * Opens the sealed JSON of a row. If the JSON cannot be read, logs an error and returns none. Fails if this process
 * lacks the key, because other processes may be able to read the row.
 */
export const openJson = Effect.fnUntraced(function* <A>(
  cipher: RecordCipher["Service"],
  json: StoredJson<A>,
  sealed: string,
  place: RecordPlace,
): Effect.fn.Return<Option.Option<A>, StoreUnavailable> {
  const missing = yield* missingKeyOf(cipher, sealed);
  if (missing !== undefined) {
    yield* Effect.logError("a sealed row needs a key that this process lacks", { table: place.table, key: missing });
    return yield* new StoreUnavailable({ detail: `a row is sealed under ${missing}`, isSealed: true });
  }
  const plain = yield* Effect.option(cipher.open(sealed, place));
  const value = Option.flatMap(plain, (bytes) => json.read(new TextDecoder().decode(bytes)));
  if (Option.isNone(value)) yield* Effect.logError("a sealed row cannot be read", { table: place.table });
  return value;
});
