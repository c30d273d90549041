/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Records and rules
export { ensureTrash } from "./ensure-trash.ts";
export { folders } from "./module.ts";
