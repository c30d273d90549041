export type { Profile } from "./Profile.ts";
export { profileOf, PROFILES } from "./profiles.ts";
export type { Quirk } from "./Quirk.ts";
export { REAL_SERVERS } from "./real-servers.ts";
export { quirkRewrite } from "./quirk-rewrite.ts";
