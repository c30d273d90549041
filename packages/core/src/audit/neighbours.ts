/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Use cases and workers
export { recordOperation } from "./Audit.ts";

// Records and rules
export { audit } from "./module.ts";
