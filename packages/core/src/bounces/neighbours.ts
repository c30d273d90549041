/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Records and rules
export { CANDIDATE_FIELDS } from "./candidate.ts";
export { bounces } from "./module.ts";
