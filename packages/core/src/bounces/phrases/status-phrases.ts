import { phrases } from "../text-folding.ts";

/** A mapping from words to an enhanced status. The class of the status applies only if the text has no code. */
export interface StatusPhrase {
  readonly status: string;
  readonly pattern: RegExp;
  readonly example: string;
}

export const row = (status: string, example: string, ...sources: ReadonlyArray<string>): StatusPhrase => ({
  status,
  pattern: phrases(...sources),
  example,
});
