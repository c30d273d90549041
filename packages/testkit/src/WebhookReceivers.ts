import { Context, type Effect } from "effect";

/** What a receiver does with one POST. */
export type ReceiverAct =
  | {
      readonly status: number;
      readonly body?: string | Uint8Array;
      /** Asked for in whole seconds. */
      readonly retryAfterSeconds?: number;
      /** Where a redirect leads. */
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

/** A receiver whose URL a sender may reach. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: Effect.Effect<ReadonlyArray<ReceivedPost>>;
}

/** Customers' servers for tests, so that one suite runs on the fake and on real sockets. */
export class WebhookReceivers extends Context.Service<
  WebhookReceivers,
  {
    /** Does one act after another; the last one again and again. */
    readonly open: (...acts: readonly [ReceiverAct, ...ReadonlyArray<ReceiverAct>]) => Effect.Effect<WebhookReceiver>;
    /** A URL of a port without a listener. */
    readonly deadUrl: Effect.Effect<string>;
    /** A name that leads to a public address. */
    readonly publicHost: string;
  }
>()("@postern/testkit/WebhookReceivers") {}
