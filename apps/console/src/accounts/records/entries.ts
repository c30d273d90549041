/** Returns the entries of a list that is typed with one entry a line, or separated by commas. */
export const entriesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
