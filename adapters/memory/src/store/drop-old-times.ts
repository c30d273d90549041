import { HashMap } from "effect";

/** Returns the times from `from` on (epoch milliseconds), without keys that have no time left. */
export const dropOldTimes = (
  times: HashMap.HashMap<string, ReadonlyArray<number>>,
  from: number,
): HashMap.HashMap<string, ReadonlyArray<number>> => {
  let kept = times;
  for (const [key, all] of times) {
    const left = all.filter((at) => at >= from);
    if (left.length === 0) kept = HashMap.remove(kept, key);
    else if (left.length < all.length) kept = HashMap.set(kept, key, left);
  }
  return kept;
};
