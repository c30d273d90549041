import type { WebhookEndpoint } from "@postern/api";
import type { EndpointView } from "@postern/core/webhooks";
import { withInstants } from "./instant-of.ts";

/** Returns a webhook endpoint as the API shows it. */
export const endpointRecord = (
  { endpoint, secretHint }: EndpointView,
  version: string,
): typeof WebhookEndpoint.Type => ({
  version,
  ...withInstants(endpoint),
  enabled: endpoint.state === "enabled",
  secretHint,
});
