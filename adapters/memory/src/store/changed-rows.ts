import { HashMap, Option } from "effect";

/** The key of a value without rows. */
const WHOLE_VALUE = "";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Adds the keys of the rows that differ to `keys`. The rows of a value are the entries of a `HashMap`, or of all
 * `HashMap`s in a record.
 */
const collect = (before: unknown, after: unknown, keys: Set<unknown>): void => {
  if (before === after) return;
  if (HashMap.isHashMap(before) && HashMap.isHashMap(after)) {
    for (const [key, row] of after) if (Option.getOrUndefined(HashMap.get(before, key)) !== row) keys.add(key);
    for (const key of HashMap.keys(before)) if (!HashMap.has(after, key)) keys.add(key);
  } else if (isRecord(before) && isRecord(after)) {
    for (const name in after) collect(before[name], after[name], keys);
  } else keys.add(WHOLE_VALUE);
};

/** Returns the keys of the rows that were added, replaced or removed. Rows are compared by identity. */
export const changedRows = (before: unknown, after: unknown): ReadonlySet<unknown> => {
  const keys = new Set<unknown>();
  collect(before, after, keys);
  return keys;
};

/** Returns the number of rows in a value; a list in a row counts as its items. */
export const rowsIn = (value: unknown): number => {
  if (HashMap.isHashMap(value)) return [...HashMap.values(value)].reduce((sum: number, row) => sum + rowsOf(row), 0);
  return isRecord(value) ? Object.values(value).reduce((sum: number, one) => sum + rowsIn(one), 0) : 0;
};

const rowsOf = (row: unknown): number => {
  const lists = isRecord(row) ? Object.values(row).filter((member) => Array.isArray(member)) : [];
  return lists.length === 0 ? 1 : lists.reduce((sum, list) => sum + list.length, 0);
};

/** Returns `onto` with the rows that were changed from `before` to `after`. */
export const withChangedRows = (before: unknown, after: unknown, onto: unknown): unknown => {
  if (before === onto) return after;
  if (before === after) return onto;
  if (HashMap.isHashMap(after)) {
    let rows = onto as typeof after;
    for (const key of changedRows(before, after)) {
      const row = HashMap.get(after, key);
      rows = Option.isSome(row) ? HashMap.set(rows, key, row.value) : HashMap.remove(rows, key);
    }
    return rows;
  }
  if (!isRecord(before) || !isRecord(after) || !isRecord(onto)) return after;
  const merged: Record<string, unknown> = {};
  for (const name in after) merged[name] = withChangedRows(before[name], after[name], onto[name]);
  return merged;
};
