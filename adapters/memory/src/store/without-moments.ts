import { HashMap } from "effect";

/** Returns the moments from `from` on (epoch milliseconds), without keys that have no moment left. */
export const withoutMoments = (
  moments: HashMap.HashMap<string, ReadonlyArray<number>>,
  from: number,
): HashMap.HashMap<string, ReadonlyArray<number>> => {
  let kept = moments;
  for (const [key, all] of moments) {
    const left = all.filter((at) => at >= from);
    if (left.length === 0) kept = HashMap.remove(kept, key);
    else if (left.length < all.length) kept = HashMap.set(kept, key, left);
  }
  return kept;
};
