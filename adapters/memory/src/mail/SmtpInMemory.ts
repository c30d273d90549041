import type { SmtpReply } from "@postern/core/send";
import { Clock, Context, Effect, Latch, Layer } from "effect";

/** The behaviour of the fake SMTP server. Steps without a reply here succeed. */
export interface SmtpConduct {
  readonly auth?: SmtpReply;
  readonly mail?: SmtpReply;
  /** Replies to RCPT by recipient. */
  readonly rcpt?: Readonly<Record<string, SmtpReply>>;
  readonly data?: SmtpReply;
  /** A reply, or the end of the connection, in the middle of the message. */
  readonly body?: "cut" | SmtpReply;
  /** `cut`: drops the message and the connection. `take and cut`: accepts the message and drops the connection. */
  readonly dot?: SmtpReply | "cut" | "take and cut";
  /** Delay of the reply to the dot, in milliseconds. */
  readonly delay?: number;
}

/** The fake SMTP server, for tests that control it. */
export class SmtpInMemory extends Context.Service<
  SmtpInMemory,
  {
    conduct: SmtpConduct;
    isUp: boolean;
    /** Maximum size of a message in bytes. */
    maxMessageBytes: number;
    /** Called for each accepted message; `raw` as bytes. */
    onTaken?: (message: {
      readonly from: string;
      readonly recipients: ReadonlyArray<string>;
      readonly raw: Uint8Array;
    }) => void;
    /** Waits for the delay of a reply. */
    readonly wait: (millis: number) => Effect.Effect<void>;
    /** Waits until a reply is delayed; returns when the earliest reply is due, in epoch milliseconds. */
    readonly nextAnswer: Effect.Effect<number>;
  }
>()("@postern/memory/SmtpInMemory") {
  static readonly layer = Layer.sync(SmtpInMemory, () => {
    const delayed = new Set<{ readonly until: number }>();
    const isDelayed = Latch.makeUnsafe();
    return {
      conduct: {},
      isUp: true,
      maxMessageBytes: 35 * 1024 * 1024,
      wait: Effect.fnUntraced(function* (millis) {
        const answer = { until: (yield* Clock.currentTimeMillis) + millis };
        delayed.add(answer);
        yield* isDelayed.open;
        yield* Effect.ensuring(
          Effect.sleep(millis),
          Effect.sync(() => {
            delayed.delete(answer);
            if (delayed.size === 0) isDelayed.closeUnsafe();
          }),
        );
      }),
      nextAnswer: Effect.andThen(
        isDelayed.await,
        Effect.sync(() => Math.min(...[...delayed].map(({ until }) => until))),
      ),
    };
  });
}
