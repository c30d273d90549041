import { Context, type Effect } from "effect";
import type { DeliveryOutcome } from "../DeliveryOutcome.ts";

/** A signed event on its way to an endpoint. */
export interface WebhookPost {
  /** Connections are kept open per endpoint. */
  readonly endpointId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends one POST (spec 7). Never fails: whatever goes wrong is an outcome, and the ladder decides. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly send: (post: WebhookPost) => Effect.Effect<DeliveryOutcome>;
  }
>()("@postern/core/webhooks/ports/WebhookSender") {}
