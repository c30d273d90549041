import { EgressGuard } from "@postern/core/shared";
import type { EndpointPolicy, WebhookSender } from "@postern/core/webhooks";
import { Effect, Layer } from "effect";
import { urlCheck } from "./check-url.ts";
import { layer as policy } from "./webhooks/EndpointPolicy.ts";
import { layer as sender } from "./webhooks/WebhookSender.ts";
import { settingsOf, type WebhookHttpOptions } from "./WebhookHttpOptions.ts";

export type { WebhookHttpOptions } from "./WebhookHttpOptions.ts";

/** The HTTP adapter for webhooks, which contacts only what the egress guard allows (spec 7). */
export const layer = (
  options: WebhookHttpOptions = {},
): Layer.Layer<WebhookSender | EndpointPolicy, never, EgressGuard> =>
  Layer.unwrap(
    Effect.map(EgressGuard, (guard) => {
      const settings = settingsOf(options);
      const checkUrl = urlCheck(guard, settings);
      return Layer.merge(sender(checkUrl, settings), policy(checkUrl));
    }),
  );
