export { layer } from "./accounts/DiscoverySources.ts";
export type { DiscoveryOptions } from "./DiscoveryOptions.ts";
