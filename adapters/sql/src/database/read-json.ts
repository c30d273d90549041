import type { StoredJson } from "@postern/core/shared";
import { Effect, Option } from "effect";

/** The name of a row for the log, without the row's text, which may contain addresses. */
interface RowName {
  readonly table: string;
  readonly id: string;
}

/**
 * Reads the JSON of a row. If the JSON cannot be read, logs an error and returns none, so that other rows are
 * processed.
 */
export const readJson = <A>(json: StoredJson<A>, text: string, row: RowName): Effect.Effect<Option.Option<A>> => {
  const value = json.read(text);
  return Option.isSome(value)
    ? Effect.succeed(value)
    : Effect.as(Effect.logError("the JSON of a row cannot be read", row), value);
};
