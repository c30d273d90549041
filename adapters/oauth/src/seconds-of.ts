/** Returns a time from a provider's answer in whole seconds, from 1 to `most`. */
export const secondsOf = (said: number, most: number): number => Math.max(1, Math.floor(Math.min(said, most)));
