/** Returns the entries of a typed list, which has one entry per line or is separated by commas. */
export const entriesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
