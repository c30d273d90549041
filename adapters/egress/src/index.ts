export { dial, judgedLookup } from "./dial.ts";
export type { EgressOptions } from "./EgressOptions.ts";
export { layer } from "./shared/EgressGuard.ts";
