import type { DeliveryErrorCode, WebhookPost } from "@postern/core/webhooks";
import { Context, Layer } from "effect";

/** A receiver's reply to a POST: a response, optionally delayed by milliseconds, silence, or a connection failure. */
export type ReceiverReply =
  | {
      readonly status: number;
      readonly body?: Uint8Array;
      readonly retryAfter?: number;
      readonly afterMillis?: number;
    }
  | { readonly errorCode: Exclude<DeliveryErrorCode, "timeout">; readonly status?: number }
  | "silence";

/** A scripted receiver of webhooks. */
export interface ReceiverInMemory {
  readonly reply: (post: WebhookPost) => ReceiverReply;
}

/** The receivers by URL; other URLs cannot be reached. */
export class ReceiversInMemory extends Context.Service<ReceiversInMemory, Map<string, ReceiverInMemory>>()(
  "@postern/memory/webhooks/ReceiversInMemory",
) {
  static readonly layer = Layer.sync(ReceiversInMemory, () => new Map());
}
