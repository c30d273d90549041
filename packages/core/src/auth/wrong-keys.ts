import { Duration } from "effect";

/** The decision about a wrong key. `Count`: the key is recorded and refused. `Throttle`: the network has too many recorded keys. */
export type WrongKeyVerdict = { readonly _tag: "Count" } | { readonly _tag: "Throttle"; readonly retryAfter: number };

/** How long a wrong key counts. */
export const WRONG_KEY_WINDOW = Duration.minutes(15);

/** The maximum number of wrong keys recorded for a network within the window. */
const MAX_WRONG_KEYS = 10;

/** Returns whether to count or to throttle a wrong key, given the times of the network's earlier wrong keys. */
export const judgeWrongKey = (earlier: ReadonlyArray<number>, now: number): WrongKeyVerdict => {
  const window = Duration.toMillis(WRONG_KEY_WINDOW);
  const counted = earlier.filter((at) => now - at < window).toSorted((a, b) => b - a);
  const blocking = counted[MAX_WRONG_KEYS - 1];
  return blocking === undefined ? { _tag: "Count" } : { _tag: "Throttle", retryAfter: blocking + window - now };
};
