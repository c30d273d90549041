/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Records and rules
export { arrivals } from "./module.ts";
export { refusalReporter, reportRefusal } from "./report-refusals.ts";
