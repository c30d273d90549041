/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { webhooks } from "./module.ts";
export { ownEvents, publishRemoval } from "./own-events.ts";
export { prolongWatch, watchReasons } from "./prolong-watch.ts";
