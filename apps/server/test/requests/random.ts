/** A seeded generator of random numbers (mulberry32). */
export const random = (seed: number) => {
  let state = seed >>> 0;
  /** Returns a number from 0 to 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const one = <A>(all: ReadonlyArray<A>): A => all[below(all.length)]!;
  return { next, below, one };
};

export type Random = ReturnType<typeof random>;
