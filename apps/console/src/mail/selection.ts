import type { Target } from "./message-actions.ts";

/** The messages that are chosen in a list, for an action on all of them. */
export interface Selection {
  readonly chosen: ReadonlyMap<string, Target>;
  /** Where a range begins: the row that was chosen last. */
  readonly anchor: string | null;
  /** What was chosen before the range. */
  readonly before: ReadonlyMap<string, Target>;
}

export const NOTHING: Selection = { chosen: new Map(), anchor: null, before: new Map() };

/** Chooses a message, or no longer. */
export const toggled = ({ chosen }: Selection, target: Target): Selection => {
  const next = new Map(chosen);
  if (!next.delete(target.id)) next.set(target.id, target);
  return { chosen: next, anchor: target.id, before: next };
};

/**
 * Chooses the rows from the anchor to a row, and no longer those of an earlier range from that anchor. Without an anchor
 * the range begins at `start`.
 */
export const extended = (
  { anchor, before }: Selection,
  rows: ReadonlyArray<Target | undefined>,
  start: number,
  end: number,
): Selection => {
  const at = anchor === null ? -1 : rows.findIndex((row) => row?.id === anchor);
  const from = at === -1 ? start : at;
  const range = rows.slice(Math.min(from, end), Math.max(from, end) + 1);
  const chosen = new Map(before);
  for (const row of range) if (row !== undefined) chosen.set(row.id, row);
  return { chosen, anchor: rows[from]?.id ?? null, before };
};

/** Chooses these messages only. */
export const exactly = (targets: Iterable<Target>): Selection => {
  const chosen = new Map([...targets].map((target) => [target.id, target] as const));
  return { chosen, anchor: null, before: chosen };
};

/** Returns the selection without messages that are gone. */
export const without = ({ chosen, anchor, before }: Selection, ids: ReadonlySet<string>): Selection => {
  const kept = (some: ReadonlyMap<string, Target>) => new Map([...some].filter(([id]) => !ids.has(id)));
  return { chosen: kept(chosen), anchor: anchor !== null && ids.has(anchor) ? null : anchor, before: kept(before) };
};
