import { phrases } from "./text-folding.ts";

/** What a text says of the reason, as an enhanced status; its class is used where no code tells it. */
export interface StatusPhrase {
  readonly status: string;
  readonly told: RegExp;
  readonly example: string;
}

export const row = (status: string, example: string, ...told: ReadonlyArray<string>): StatusPhrase => ({
  status,
  told: phrases(...told),
  example,
});
