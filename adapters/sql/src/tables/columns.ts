/** The kind of a column: text, a whole number or a time, a boolean as 0 or 1. */
type KindOf<V> = [V] extends [boolean] ? "flag" : [V] extends [number | null] ? "bigint" : "text";

/** The columns of a record's fields, by the names of the fields. A column has the name of its field in snake_case. */
type Columns<R> = { readonly [F in keyof R]?: KindOf<R[F]> };

type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S;

/** The row of a record. */
export type RowOf<R, C extends Columns<R>> = {
  readonly [F in keyof C & keyof R & string as SnakeCase<F>]: C[F] extends "flag" ? 0 | 1 : R[F];
};

/** Returns the types of a table's columns, and the functions that convert between a record and its row. */
export const columnsOf =
  <R>() =>
  <const C extends Columns<R>>(columns: C) => {
    const all = Object.entries<string | undefined>(columns).map(([field, kind]) => ({
      field,
      column: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isFlag: kind === "flag",
      type: kind === "text" ? ("text" as const) : ("bigint" as const),
    }));
    return {
      types: Object.fromEntries(all.map(({ column, type }) => [column, type])) as Readonly<
        Record<keyof RowOf<R, C>, "text" | "bigint">
      >,
      recordOf: (row: RowOf<R, C>): Pick<R, keyof C & keyof R> => {
        const values: Record<string, unknown> = {};
        const given: Readonly<Record<string, unknown>> = row;
        for (const { field, column, isFlag } of all) values[field] = isFlag ? given[column] === 1 : given[column];
        return values as Pick<R, keyof C & keyof R>;
      },
      rowOf: (record: Pick<R, keyof C & keyof R>): RowOf<R, C> => {
        const values: Record<string, unknown> = {};
        const given = record as Readonly<Record<string, unknown>>;
        for (const { field, column, isFlag } of all) values[column] = isFlag ? Number(given[field]) : given[field];
        return values as RowOf<R, C>;
      },
    };
  };
