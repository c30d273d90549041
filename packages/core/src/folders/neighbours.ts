/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Records and rules
export { ensureFolder } from "./ensure-folder.ts";
export { isHidden } from "./folder-removal-state.ts";
export { folders } from "./module.ts";
