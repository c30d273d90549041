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

/** Returns whether ranges contain a UID. */
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
