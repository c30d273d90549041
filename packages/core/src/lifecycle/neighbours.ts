/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { lifecycle } from "./module.ts";
