/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { RefusalReports } from "./RefusalReports.ts";

// Records and rules
export { arrivals } from "./module.ts";
