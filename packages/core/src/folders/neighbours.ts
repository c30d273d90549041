/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { ensureTrash } from "./ensure-trash.ts";
export { folders } from "./module.ts";
