import { Context, type Effect } from "effect";
import type { DeliveryOutcome } from "../DeliveryOutcome.ts";

/** A signed event to send to an endpoint. */
export interface WebhookPost {
  /** The endpoint whose kept-alive connections are used. */
  readonly endpointId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends one POST (spec 7). Never fails: every error is an outcome, and the ladder decides about retries. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly send: (post: WebhookPost) => Effect.Effect<DeliveryOutcome>;
  }
>()("@postern/core/webhooks/ports/WebhookSender") {}
