/** Returns a name for the numbering of a feed (spec 7.10). */
export const newEpoch = (): string => globalThis.crypto.randomUUID().slice(0, 8);
