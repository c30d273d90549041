import { Clock, Context, DateTime, Effect, Layer, Option } from "effect";
import { eventAccount } from "../../events/neighbours.ts";
import { eventId, EventPublisher } from "../../events/index.ts";
import { batchedWriter } from "../../shared/neighbours.ts";
import { Entropy, OpaqueIds, Transaction } from "../../shared/index.ts";
import { classifyOpen, countOpen } from "./opens.ts";
import { openEvent } from "../outgoing/commit-transition.ts";
import { TrackedMessages } from "../ports/TrackedMessages.ts";

/** The maximum number of hits that wait to be written; further hits are dropped. */
const MAX_WAITING_HITS = 1_000;
const BATCH = 100;

/** A request for a tracking image. */
interface Hit {
  readonly id: string;
  readonly userAgent: string;
  readonly purpose: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Records openings of tracked messages (spec 7.8): in batches, and with hits dropped under load. */
export class OpenTracker extends Context.Service<
  OpenTracker,
  {
    /** Queues a hit and returns at once, whether or not the image exists. */
    readonly recordHit: (id: string, userAgent: string, purpose: string) => Effect.Effect<void>;
  }
>()("@postern/core/send/opens/OpenTracker") {
  static readonly layer = Layer.effect(
    OpenTracker,
    Effect.gen(function* () {
      const tracked = yield* TrackedMessages;
      const publisher = yield* EventPublisher;
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const record = Effect.fnUntraced(function* ({ id, userAgent, purpose, at }: Hit) {
        const found = yield* tracked.find(id);
        if (Option.isNone(found)) return;
        const classification = classifyOpen(userAgent, purpose);
        const { message, isReported } = countOpen(found.value, classification, at);
        yield* tracked.update(message);
        if (!isReported) return;
        const openedAt = DateTime.formatIso(DateTime.makeUnsafe(at));
        const open = { classification, userAgent, openedAt };
        const account = eventAccount(ids, message.account);
        yield* publisher.publish([openEvent(eventId(at, yield* entropy.id(128)), account, message, open, at)]);
      });

      const write = yield* batchedWriter<Hit>({
        name: "openings",
        maxAtOnce: BATCH,
        maxWaiting: MAX_WAITING_HITS,
        // Rows are locked in the order of ids, so that two processes cannot deadlock.
        write: (batch) =>
          transaction.run(
            Effect.forEach(
              batch.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
              record,
              { discard: true },
            ),
          ),
      });

      return OpenTracker.of({
        recordHit: Effect.fnUntraced(function* (id, userAgent, purpose) {
          const at = yield* Clock.currentTimeMillis;
          yield* write({ id, userAgent, purpose, at });
        }),
      });
    }),
  );
}
