import type { EndpointPolicy, WebhookSender } from "@postern/core/webhooks";
import { Layer } from "effect";
import { vetBy } from "./egress.ts";
import { namesOverDns } from "./Names.ts";
import { layer as policyOverDns } from "./webhooks/EndpointPolicy.ts";
import { layer as senderOverHttp } from "./webhooks/WebhookSender.ts";
import { settingsOf, type WebhookHttpOptions } from "./WebhookHttpOptions.ts";

export type { WebhookHttpOptions } from "./WebhookHttpOptions.ts";

/** Webhooks over HTTP behind the egress guard (spec 7). Throws a RangeError for a network it cannot read. */
export const layer = (options: WebhookHttpOptions = {}): Layer.Layer<WebhookSender | EndpointPolicy> => {
  const settings = settingsOf(options);
  const vet = vetBy(namesOverDns(settings), settings);
  return Layer.merge(senderOverHttp(vet, settings), policyOverDns(vet));
};
