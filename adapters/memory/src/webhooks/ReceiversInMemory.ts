import type { DeliveryErrorCode, WebhookPost } from "@postern/core/webhooks";
import { Context, Layer } from "effect";

/** What a receiver does with a POST: an answer, at once or after some milliseconds, silence, or a failure on the way. */
export type ReceiverReply =
  | {
      readonly status: number;
      readonly body?: Uint8Array;
      readonly retryAfter?: number;
      readonly afterMillis?: number;
    }
  | { readonly errorCode: Exclude<DeliveryErrorCode, "timeout">; readonly status?: number }
  | "silence";

/** A scripted customer server. */
export interface ReceiverInMemory {
  readonly reply: (post: WebhookPost) => ReceiverReply;
}

/** The receivers there are, by URL; a URL of none of them leads nowhere. */
export class ReceiversInMemory extends Context.Service<ReceiversInMemory, Map<string, ReceiverInMemory>>()(
  "@postern/memory/webhooks/ReceiversInMemory",
) {
  static readonly layer = Layer.sync(ReceiversInMemory, () => new Map());
}
