/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Records and rules
export { assistants } from "./module.ts";
