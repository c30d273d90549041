/** The maximum length of compared names, limited because clients choose names. */
const MAX_CHARS = 64;

/** Returns the known name that a mistyped name most likely means; undefined if no name is similar. */
export const nearestName = (given: string, known: ReadonlyArray<string>): string | undefined => {
  if (given.length > MAX_CHARS) return undefined;
  const most = Math.max(1, Math.floor(given.length / 3));
  const [nearest] = known
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((one, other) => one.edits - other.edits);
  return nearest?.name;
};

/**
 * Returns the number of characters to add, remove, replace or swap with the next one (Damerau–Levenshtein distance).
 */
const editsBetween = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = [];
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : replaced;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped));
    }
    before = row;
    row = next;
  }
  return row[other.length]!;
};
