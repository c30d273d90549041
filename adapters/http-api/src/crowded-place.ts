/** As many values as a JSON body may have: a batch of 1,000 ids is the largest of ours, and each takes time to check. */
export const MOST_VALUES = 5_000;

/** Where in a body its 5,001st value is, as the path of what that value is in; undefined where there are fewer. */
export const crowdedPlace = (body: unknown): ReadonlyArray<string> | undefined => {
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
    if (values > MOST_VALUES) return path;
    for (const [name, member] of members) enter(member, [...path, name]);
  }
  return undefined;
};
