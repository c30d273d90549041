/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { TokenIssuer } from "./TokenIssuer.ts";

// Records and rules
export type { ApplicationData } from "./ApplicationData.ts";
export { containsReach } from "./key-reach.ts";
export { type SessionStart, startBearerSession, startCookieSession } from "./session-state.ts";
