/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Records and rules
export { CANDIDATE_FIELDS } from "./candidate.ts";
export { bounces } from "./module.ts";
