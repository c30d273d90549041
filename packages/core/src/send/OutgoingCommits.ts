import { Clock, Context, Effect, Layer } from "effect";
import { eventId } from "../events/event-id.ts";
import { EventPublisher } from "../events/EventPublisher.ts";
import { Entropy } from "../shared/ports/Entropy.ts";
import { Transaction } from "../shared/ports/Transaction.ts";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import { newsEvent } from "./outgoing-events.ts";
import { isFinished } from "./outgoing-state.ts";
import type { Transition } from "./outgoing-transitions.ts";
import { IdempotencyKeys } from "./ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { UploadRecords } from "./ports/UploadRecords.ts";
import type { SendAnswer } from "./send-answer.ts";

/** Commits transitions of outgoing messages together with their events, or not at all (decisions 6 and 7). */
export class OutgoingCommits extends Context.Service<
  OutgoingCommits,
  {
    /** False, and nothing is kept, where the lease was lost. `answer` is remembered for repetitions of the request. */
    readonly commit: (
      transition: Transition,
      token: string,
      lease: "keep" | "give back",
      answer?: SendAnswer,
    ) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/send/OutgoingCommits") {
  static readonly layer = Layer.effect(
    OutgoingCommits,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const publisher = yield* EventPublisher;
      const uploads = yield* UploadRecords;
      const keys = yield* IdempotencyKeys;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const eventsOf = Effect.fnUntraced(function* ({ message, news }: Transition) {
        if (message.kind === "notice") return [];
        const now = yield* Clock.currentTimeMillis;
        return yield* Effect.forEach(news, (item) =>
          Effect.map(entropy.id(128), (id) => newsEvent(eventId(now, id), message, item, now)),
        );
      });

      const commit: OutgoingCommits["Service"]["commit"] = Effect.fn("OutgoingCommits.commit")(
        function* (transition, token, lease, answer) {
          const { message } = transition;
          const events = yield* eventsOf(transition);
          return yield* transaction.run(
            Effect.gen(function* () {
              if (!(yield* journal.save(message, token, lease))) return false;
              yield* publisher.publish(events);
              if (answer !== undefined) yield* keys.answer(message.id, answer);
              if (lease === "give back" && isFinished(message)) yield* uploads.unpin(message.id);
              return true;
            }),
          );
        },
      );

      return OutgoingCommits.of({ commit });
    }),
  );
}
