/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { containsReach } from "./key-reach.ts";
export type { CookieSession } from "./Session.ts";
export { type SessionStart, startCookieSession } from "./session-state.ts";
