/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Use cases and workers
export { RefusalReports } from "./RefusalReports.ts";

// Records and rules
export { arrivals } from "./module.ts";
