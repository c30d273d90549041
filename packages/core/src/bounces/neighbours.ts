/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { CANDIDATE_FIELDS } from "./candidate.ts";
export { bounces } from "./module.ts";
