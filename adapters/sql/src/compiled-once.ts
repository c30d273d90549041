import type { Compilable, CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { Tables } from "./Tables.ts";

/** Returns a query that is compiled when it first runs, because compiling a long one costs more than running it. */
export const compiledOnce = <Row>(
  statement: RawBuilder<Row>,
): ((db: Kysely<Tables>) => Promise<ReadonlyArray<Row>>) => {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db) => (await db.executeQuery((compiled ??= statement.compile(db)))).rows;
};

/** Numbers of keys for which a query is kept; a batch seldom has more. */
const MOST_KEPT = 64;

/** Returns a query by a list of keys, compiled once for each length of the list. */
export const compiledByLength = <Row>(
  select: (db: Kysely<Tables>, keys: ReadonlyArray<string>) => Compilable<Row>,
): ((db: Kysely<Tables>, keys: ReadonlyArray<string>) => Promise<ReadonlyArray<Row>>) => {
  const kept = new Map<number, CompiledQuery<Row>>();
  const compile = (db: Kysely<Tables>, length: number) => {
    const made = select(
      db,
      Array.from({ length }, (_, n) => placeOf(n)),
    ).compile();
    if (length <= MOST_KEPT) kept.set(length, made);
    return made;
  };
  return async (db, keys) => {
    const places = new Map(keys.map((key, n) => [placeOf(n), key]));
    const compiled = kept.get(keys.length) ?? compile(db, keys.length);
    const parameters = compiled.parameters.map((value) => places.get(value as string) ?? value);
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
};

/** A text that no row contains, in the place of a key. */
const placeOf = (n: number): string => `\0${n}`;
