/** Returns a generator of pseudorandom numbers from 0 to 1, the same for the same seed (mulberry32). */
export const chanceFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** Returns a random time of day between 7 and 17 UTC, at least one day ago; epoch milliseconds in whole seconds. */
export const momentOf = (now: number, daysAgo: number, chance: () => number): number =>
  Math.floor((now - Math.max(1, daysAgo) * DAY) / DAY) * DAY + 7 * HOUR + Math.floor(chance() * 10 * 3600) * 1000;

/** Returns a Message-ID in the domain of a sender. */
export const newMessageId = (address: string, chance: () => number): string => {
  const part = () => Math.floor(chance() * 2 ** 32).toString(36);
  return `<${part()}.${part()}@${address.slice(address.indexOf("@") + 1)}>`;
};
