/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Records and rules
export { arrivals } from "./module.ts";
export { refusalReporter, reportRefusal } from "./report-refusals.ts";
