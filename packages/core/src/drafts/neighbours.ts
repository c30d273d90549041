/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Records and rules
export { drafts } from "./module.ts";
