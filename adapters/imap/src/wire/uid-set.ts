/**
 * Returns a set of UIDs, each once: runs of consecutive numbers become ranges. The set is in ascending order, because Tencent
 * Exmail refuses any other.
 */
export const uidSet = (uids: ReadonlyArray<number>): string => {
  const runs: Array<[first: number, last: number]> = [];
  for (const uid of new Set(uids.toSorted((one, other) => one - other))) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === uid - 1) run[1] = uid;
    else runs.push([uid, uid]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join(",");
};
