/** Sorts values by their text. */
export const byText = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1);
