import type { EndpointPolicy, WebhookSender } from "@postern/core/webhooks";
import { Layer } from "effect";
import { urlCheck } from "./egress.ts";
import { dnsResolver } from "./HostResolver.ts";
import { layer as policyOverDns } from "./webhooks/EndpointPolicy.ts";
import { layer as senderOverHttp } from "./webhooks/WebhookSender.ts";
import { settingsOf, type WebhookHttpOptions } from "./WebhookHttpOptions.ts";

export type { WebhookHttpOptions } from "./WebhookHttpOptions.ts";

/** The HTTP adapter for webhooks, behind the egress guard (spec 7). Throws a RangeError for an invalid network. */
export const layer = (options: WebhookHttpOptions = {}): Layer.Layer<WebhookSender | EndpointPolicy> => {
  const settings = settingsOf(options);
  const checkUrl = urlCheck(dnsResolver(settings), settings);
  return Layer.merge(senderOverHttp(checkUrl, settings), policyOverDns(checkUrl));
};
