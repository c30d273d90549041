/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Use cases and workers
export { recordOperation } from "./Audit.ts";

// Records and rules
export { audit } from "./module.ts";
