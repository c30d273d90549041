/**
 * Maximum number of values in a JSON body. The largest body of the API is a batch of 1,000 ids. The number is bounded
 * because checking each value takes time.
 */
export const MAX_VALUES = 5_000;

/** Returns the path of the object or array that contains the 5,001st value of a body; undefined if there are fewer values. */
export const excessPath = (body: unknown): ReadonlyArray<string> | undefined => {
  const places: Array<{ readonly path: ReadonlyArray<string>; readonly value: object }> = [];
  let values = 0;
  const enter = (value: unknown, path: ReadonlyArray<string>): void => {
    if (typeof value === "object" && value !== null) places.push({ path, value });
  };
  enter(body, []);
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { path, value } = place;
    const members = Object.entries(value);
    values += members.length;
    if (values > MAX_VALUES) return path;
    for (const [name, member] of members) enter(member, [...path, name]);
  }
  return undefined;
};
