import type { ApiProblem } from "@postern/client/browser";
import type { Text } from "./mark-text.ts";
import { CONFLICTS } from "./problems/conflicts.ts";
import { OUTAGES } from "./problems/outages.ts";
import { REFUSALS } from "./problems/refusals.ts";

export { FAULTS } from "./problems/faults.ts";
export { REASONS } from "./problems/reasons.ts";

/** The title of a problem, and advice. */
export type ProblemText = readonly [title: Text, advice: Text];

/** The texts of problems by their codes, for all languages but English, in which the service answers. */
export const PROBLEMS: Readonly<
  Record<Exclude<ApiProblem["code"], "offline" | "unknown">, ProblemText> & Record<string, ProblemText>
> = { ...REFUSALS, ...CONFLICTS, ...OUTAGES };
