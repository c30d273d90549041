import { Duration } from "effect";

/** The decision about a wrong key. `Count`: it is recorded and refused. `Throttle`: too many were recorded. */
export type WrongKeyVerdict = { readonly _tag: "Count" } | { readonly _tag: "Throttle"; readonly retryAfter: number };

/** How long a wrong key counts. */
export const WRONG_KEY_WINDOW = Duration.minutes(15);

/** How many wrong keys of a network are recorded within the window. */
const MAX_WRONG_KEYS = 10;

/** Decides about a wrong key from the times of other wrong keys of the same network. */
export const judgeWrongKey = (earlier: ReadonlyArray<number>, now: number): WrongKeyVerdict => {
  const window = Duration.toMillis(WRONG_KEY_WINDOW);
  const counted = earlier.filter((at) => now - at < window).toSorted((a, b) => b - a);
  const blocking = counted[MAX_WRONG_KEYS - 1];
  return blocking === undefined ? { _tag: "Count" } : { _tag: "Throttle", retryAfter: blocking + window - now };
};
