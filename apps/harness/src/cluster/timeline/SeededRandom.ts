/** Pseudo-random numbers that depend only on the seed (mulberry32). */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `low` to below `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<A>(choices: readonly [A, ...ReadonlyArray<A>]): A;
  pick<A>(choices: ReadonlyArray<A>): A | undefined;
  pick<A>(choices: ReadonlyArray<A>): A | undefined {
    return choices[this.between(0, choices.length)];
  }

  /** Returns up to `count` of the choices, in random order. */
  some<A>(choices: ReadonlyArray<A>, count: number): ReadonlyArray<A> {
    const left = [...choices];
    const chosen: Array<A> = [];
    while (chosen.length < count && left.length > 0) chosen.push(...left.splice(this.between(0, left.length), 1));
    return chosen;
  }
}
