import type { SmtpReply } from "@postern/core/send";
import { Clock, Context, Effect, Latch, Layer } from "effect";

/** How the fake SMTP server treats what comes to it; what is not named it takes. */
export interface SmtpConduct {
  readonly auth?: SmtpReply;
  readonly mail?: SmtpReply;
  /** By recipient. */
  readonly rcpt?: Readonly<Record<string, SmtpReply>>;
  readonly data?: SmtpReply;
  /** In the middle of the message. */
  readonly body?: "cut" | SmtpReply;
  /** `cut`: drops the message and the connection. `take and cut`: takes the message and drops the connection. */
  readonly dot?: SmtpReply | "cut" | "take and cut";
  /** How long the answer to the dot takes, in milliseconds. */
  readonly delay?: number;
}

/** The fake SMTP server, for tests that control it. */
export class SmtpInMemory extends Context.Service<
  SmtpInMemory,
  {
    conduct: SmtpConduct;
    isUp: boolean;
    /** Bytes it takes. */
    readonly maxMessageBytes: number;
    /** Called for each message it takes; raw as bytes. */
    onTaken: (message: {
      readonly from: string;
      readonly recipients: ReadonlyArray<string>;
      readonly raw: Uint8Array;
    }) => void;
    /** Waits for the delay of an answer. */
    readonly wait: (millis: number) => Effect.Effect<void>;
    /** Waits until an answer is delayed; returns when the first of those comes, in epoch milliseconds. */
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
      onTaken: () => {},
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
