/** Random choices that a seed repeats (mulberry32). */
export interface RandomChoice {
  /** A number from 0 up to `below`. */
  readonly below: (below: number) => number;
  /** One of a list; undefined of an empty one. */
  readonly of: <A>(all: ReadonlyArray<A>) => A | undefined;
}

/** Returns the choices of a seed. */
export const randomChoice = (seed: number): RandomChoice => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, of: (all) => all[below(all.length)] };
};
