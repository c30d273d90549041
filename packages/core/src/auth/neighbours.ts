/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Use cases and workers
export { LoginThrottle } from "./LoginThrottle.ts";

// Records and rules
export { ActingAgent, policyOf, recordAgentChange } from "./acting-agent.ts";
export type { SendPolicy } from "./SendPolicy.ts";
export { containsReach } from "./key-reach.ts";
export { auth } from "./module.ts";
export type { CookieSession } from "./Session.ts";
export { type SessionStart, startCookieSession } from "./session-state.ts";
export { type Scope, SCOPES } from "./scopes.ts";
