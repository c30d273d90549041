/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Errors
export { IdempotencyKeyReused } from "./errors.ts";

// Records and rules
export type { KeyClaim, RepeatError } from "./Creations.ts";
export { KEY_LIFETIME } from "./limits.ts";
export { creations } from "./module.ts";
