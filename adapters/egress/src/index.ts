export { dial, fixedLookup } from "./dial.ts";
export type { EgressOptions } from "./EgressOptions.ts";
export { layer } from "./shared/EgressGuard.ts";
