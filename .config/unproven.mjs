/** Promises of docs/spec that no test proves, and why. */
export const UNPROVEN = {
  "S9.2-2": "no test follows which call runs inside of which transaction",
};
