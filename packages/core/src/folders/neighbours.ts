/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { FolderSync } from "./FolderSync.ts";
export { TrashFolder } from "./TrashFolder.ts";

// Records and rules
export { folders } from "./module.ts";
