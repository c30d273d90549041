/** Returns a UID set for UIDs in ascending order: runs of consecutive numbers become ranges. */
export const uidSet = (uids: ReadonlyArray<number>): string => {
  const runs: Array<[first: number, last: number]> = [];
  for (const uid of uids) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === uid - 1) run[1] = uid;
    else runs.push([uid, uid]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join(",");
};
