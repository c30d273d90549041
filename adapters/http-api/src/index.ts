export { type Cidr, cidrOf } from "./client-network.ts";
export * from "./framework-problem.ts";
export type { Guide } from "./GuidePages.ts";
export { methodRoutes } from "./method-routes.ts";
export { MetricsSources } from "./MetricsPage.ts";
export type { PublicAddressOptions } from "./PublicAddress.ts";
export * from "./Readiness.ts";
export * from "./RequestId.ts";
export * from "./Routes.ts";
