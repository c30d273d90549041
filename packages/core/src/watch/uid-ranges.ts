/** Ranges of UIDs, both ends included, in ascending order and without overlaps. */
export type UidRanges = ReadonlyArray<readonly [first: number, last: number]>;

/** Appends the ranges of ascending UIDs to the ranges of lower UIDs, and returns both. */
export const rangesOf = (uids: Iterable<number>, before: UidRanges = []): UidRanges => {
  const ranges = before.map(([first, last]): [first: number, last: number] => [first, last]);
  for (const uid of uids) {
    const range = ranges.at(-1);
    if (range !== undefined && uid <= range[1] + 1) range[1] = Math.max(range[1], uid);
    else ranges.push([uid, uid]);
  }
  return ranges;
};

/** Returns the number of UIDs in ranges. */
export const countIn = (ranges: UidRanges): number => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** Whether a UID is in ranges. */
export const isIn = (ranges: UidRanges, uid: number): boolean => {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] < uid) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]![0] <= uid;
};

/** Returns the part of ranges below a UID. */
export const rangesBelow = (ranges: UidRanges, uid: number): UidRanges =>
  ranges.flatMap(([first, last]) => (first >= uid ? [] : [[first, Math.min(last, uid - 1)] as const]));

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
export const uidsMissing = (ranges: UidRanges, others: UidRanges): ReadonlyArray<number> => {
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
