/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { WatchReasons } from "./WatchReasons.ts";

// Records and rules
export { webhooks } from "./module.ts";
