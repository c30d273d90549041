/** Returns a time that a provider says, in whole seconds: from 1 up to `most`. */
export const secondsOf = (said: number, most: number): number => Math.max(1, Math.floor(Math.min(said, most)));
