import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import type { Tables } from "../tables/Tables.ts";

/** The values of a query by name; a list has one parameter for each of its items. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Returns a parameter of a compiled query from the given values: a named value, an item of a named list, or a constant.
 */
type Parameter = (given: Values) => unknown;

interface Kept<Row> {
  readonly query: CompiledQuery<Row>;
  readonly parameters: ReadonlyArray<Parameter>;
}

/** The list length up to which compiled queries are kept; batches rarely have more items. */
const MAX_KEPT = 64;

/**
 * Returns a function that runs a query with values; the query is compiled once for each length of its lists. `build`
 * gets placeholders in place of the values, so the query may depend only on the lengths of lists.
 */
export const compiledWith = <Row, Given extends object>(
  build: (db: Kysely<Tables>, given: Given) => Compilable<Row>,
): ((db: Kysely<Tables>, given: Given) => Promise<QueryResult<Row>>) => {
  const kept = new Map<string, Kept<Row>>();
  const compile = (db: Kysely<Tables>, given: Values): Kept<Row> => {
    const byPlace = new Map<unknown, Parameter>();
    const placed = (parameter: Parameter) => {
      const place = `\0${byPlace.size}`;
      byPlace.set(place, parameter);
      return place;
    };
    const places = Object.entries(given).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((_, n) => placed((values) => (values[name] as ReadonlyArray<unknown>)[n]))
        : placed((values) => values[name]),
    ]);
    const query = build(db, Object.fromEntries(places) as Given).compile();
    return { query, parameters: query.parameters.map((value) => byPlace.get(value) ?? (() => value)) };
  };
  return (db, given) => {
    const values = given as Values;
    let [lengths, isLong] = ["", false];
    for (const name in values) {
      const value = values[name];
      if (!Array.isArray(value)) continue;
      lengths += `${value.length} `;
      isLong ||= value.length > MAX_KEPT;
    }
    let found = kept.get(lengths);
    if (found === undefined) {
      found = compile(db, values);
      if (!isLong) kept.set(lengths, found);
    }
    return db.executeQuery<Row>({ ...found.query, parameters: found.parameters.map((read) => read(values)) });
  };
};
