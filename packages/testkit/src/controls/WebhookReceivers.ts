import { Context, type Effect } from "effect";

/** The reaction of a receiver to one POST. */
export type ReceiverAct =
  | {
      readonly status: number;
      readonly body?: string | Uint8Array;
      /** Retry-After in whole seconds. */
      readonly retryAfterSeconds?: number;
      /** The Location of a redirect. */
      readonly location?: string;
    }
  | "hang"
  | "cut_before_headers"
  | "cut_after_headers";

/** A POST as it arrived; header names in lower case. */
export interface ReceivedPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A receiver at a URL that the sender can reach. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: Effect.Effect<ReadonlyArray<ReceivedPost>>;
}

/** Webhook receivers for tests, so that one suite runs on the fake and on real sockets. */
export class WebhookReceivers extends Context.Service<
  WebhookReceivers,
  {
    /** Opens a receiver that reacts to POSTs with these acts in order; the last act repeats. */
    readonly open: (...acts: readonly [ReceiverAct, ...ReadonlyArray<ReceiverAct>]) => Effect.Effect<WebhookReceiver>;
    /** The URL of a port without a listener. */
    readonly deadUrl: Effect.Effect<string>;
    /** A host name that resolves to a public address. */
    readonly publicHost: string;
  }
>()("@postern/testkit/WebhookReceivers") {}
