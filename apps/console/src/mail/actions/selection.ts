import type { Target } from "./message-actions.ts";

/** The selected messages of a list, for an action on all of them. */
export interface Selection {
  readonly chosen: ReadonlyMap<string, Target>;
  /** The row at which a range begins: the row that was selected last. */
  readonly anchor: string | null;
  /** The selection before the last range was added. */
  readonly before: ReadonlyMap<string, Target>;
}

export const NOTHING: Selection = { chosen: new Map(), anchor: null, before: new Map() };

/** Selects the messages of a row, or deselects them if all of them are selected. */
export const toggleRow = ({ chosen }: Selection, row: Target, under: ReadonlyArray<Target> = [row]): Selection => {
  const next = new Map(chosen);
  const areChosen = under.every(({ id }) => chosen.has(id));
  for (const one of under) {
    if (areChosen) next.delete(one.id);
    else next.set(one.id, one);
  }
  return { chosen: next, anchor: row.id, before: next };
};

/**
 * Selects the rows from the anchor to a row, and deselects those of an earlier range from that anchor. Without an
 * anchor the range begins at `start`.
 */
export const extendSelection = <Row extends Target>(
  { anchor, before }: Selection,
  rows: ReadonlyArray<Row | undefined>,
  start: number,
  end: number,
  under: (row: Row) => ReadonlyArray<Target> = (row) => [row],
): Selection => {
  const at = anchor === null ? -1 : rows.findIndex((row) => row?.id === anchor);
  const from = at === -1 ? start : at;
  const range = rows.slice(Math.min(from, end), Math.max(from, end) + 1);
  const chosen = new Map(before);
  for (const row of range) {
    if (row !== undefined) for (const one of under(row)) chosen.set(one.id, one);
  }
  return { chosen, anchor: rows[from]?.id ?? null, before };
};

/** Selects only these messages. */
export const selectOnly = (targets: Iterable<Target>): Selection => {
  const chosen = new Map([...targets].map((target) => [target.id, target] as const));
  return { chosen, anchor: null, before: chosen };
};

/** Returns the selection without messages that are gone. */
export const without = ({ chosen, anchor, before }: Selection, ids: ReadonlySet<string>): Selection => {
  const kept = (some: ReadonlyMap<string, Target>) => new Map([...some].filter(([id]) => !ids.has(id)));
  return { chosen: kept(chosen), anchor: anchor !== null && ids.has(anchor) ? null : anchor, before: kept(before) };
};
