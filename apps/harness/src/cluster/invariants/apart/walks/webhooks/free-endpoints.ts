import type { ModelEndpoint } from "./ModelEndpoint.ts";

/** The settings of an endpoint that gets each event at once, apart from its policy. */
export const FREE_SETTINGS = { ordered: false, events: ["email.sent", "folder.created"] } as const;

/** Returns whether an endpoint is enabled and has no event to get. */
export const isFree = (endpoint: ModelEndpoint): boolean =>
  endpoint.isEnabled && endpoint.deliveries.every((one) => one.state !== "in_flight" && !endpoint.isCurrent(one));
