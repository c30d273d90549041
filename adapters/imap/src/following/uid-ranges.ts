import type { UidRanges } from "@postern/core/watch";

/** Returns the UID at a position, counted from 1; undefined if there is none. */
export const uidAt = (ranges: UidRanges, position: number): number | undefined => {
  if (position < 1) return undefined;
  let left = position;
  for (const [first, last] of ranges) {
    if (left <= last - first + 1) return first + left - 1;
    left -= last - first + 1;
  }
  return undefined;
};

/** Returns ranges without a UID. */
export const rangesWithout = (ranges: UidRanges, uid: number): UidRanges => {
  const at = ranges.findIndex(([first, last]) => first <= uid && uid <= last);
  if (at < 0) return ranges;
  const [first, last] = ranges[at]!;
  const parts = [[first, uid - 1] as const, [uid + 1, last] as const].filter(([from, to]) => from <= to);
  return ranges.toSpliced(at, 1, ...parts);
};

/** Returns the UIDs of `ranges` that are not in `others`. */
export const missingUids = (ranges: UidRanges, others: UidRanges): ReadonlyArray<number> => {
  const missing: Array<number> = [];
  let at = 0;
  for (const [first, last] of ranges) {
    for (let uid = first; uid <= last;) {
      while (at < others.length && others[at]![1] < uid) at++;
      const next = others[at];
      if (next !== undefined && next[0] <= uid) {
        uid = next[1] + 1;
        continue;
      }
      missing.push(uid++);
    }
  }
  return missing;
};
