/** Random choices that are the same for the same seed. */
export interface RandomSource {
  /** Returns a whole number from 0 to `limit - 1`. */
  readonly below: (limit: number) => number;
  readonly of: <A>(all: ReadonlyArray<A>) => A;
}

/** Returns the choices of a seed (mulberry32). */
export const randomFrom = (seed: number): RandomSource => {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, of: (all) => all[below(all.length)]! };
};
