/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export type { KeyClaim, RepeatError } from "./Creations.ts";
export { KEY_LIFETIME } from "./limits.ts";
