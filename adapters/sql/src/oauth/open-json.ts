import type { StoredJson } from "@postern/core/shared";
import { Effect, Option } from "effect";
import type { RecordCipher, RecordPlace } from "../RecordCipher.ts";

/** Opens the sealed JSON of a row; none, and an error in the log, if it cannot be read. */
export const openJson = <A>(
  cipher: RecordCipher["Service"],
  json: StoredJson<A>,
  sealed: string,
  place: RecordPlace,
): Effect.Effect<Option.Option<A>> =>
  cipher.open(sealed, place).pipe(
    Effect.map((plain) => json.read(new TextDecoder().decode(plain))),
    Effect.catch(() => Effect.succeedNone),
    Effect.tap((value) =>
      Option.isSome(value) ? Effect.void : Effect.logError("a sealed row cannot be read", { table: place.table }),
    ),
  );
