/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Records and rules
export { ensureFolder } from "./ensure-folder.ts";
export { isHidden } from "./folder-removal-state.ts";
export { folders } from "./module.ts";
