import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher, type MailEvent } from "../events/index.ts";
import { Entropy, OpaqueIds, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { LEASE } from "./limits.ts";
import { outgoingEvent } from "./outgoing-events.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { isFinished } from "./outgoing-state.ts";
import type { Transition } from "./outgoing-transitions.ts";
import { IdempotencyKeys } from "./ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { UploadRecords } from "./ports/UploadRecords.ts";
import type { SendAnswer } from "./send-answer.ts";
import { probeUnlessAnother } from "./server-probes.ts";

/** Retries the commit of an outcome while the database is unavailable. */
const STORE_RETRIES = { schedule: Schedule.spaced("1 second"), times: Duration.toSeconds(LEASE) };

/** Further writes in the transaction of a transition. */
export interface CommitOptions {
  /** Stored for repeated requests with the same key. */
  readonly answer?: SendAnswer | undefined;
  /** Events made before, which are written unless an earlier commit wrote them. */
  readonly events?: ReadonlyArray<MailEvent>;
  /** Whether the message may pin uploads, which are released when it is finished; true by default. */
  readonly mayHoldFiles?: boolean;
}

/** Commits transitions of outgoing messages together with their events (spec 6, 7). */
export class OutgoingCommits extends Context.Service<
  OutgoingCommits,
  {
    /** Returns the events that a transition raises, each time with new ids. */
    readonly eventsOf: (transition: Transition) => Effect.Effect<ReadonlyArray<MailEvent>>;
    /**
     * Commits a transition; false, with nothing saved, if the lease was lost. A message that is given back and waits for
     * a server is tried soon unless another one is (spec 6.4).
     */
    readonly commit: (
      transition: Transition,
      token: string,
      lease: "keep" | "give back",
      options?: CommitOptions,
    ) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Retries `commit` for as long as a lease lasts. Every retry writes the same events, because the database may have
     * kept a commit that failed.
     */
    readonly commitWithRetries: (
      transition: Transition,
      token: string,
      lease: "keep" | "give back",
      options?: CommitOptions,
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
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const eventsOf = Effect.fnUntraced(function* ({ message, changes }: Transition) {
        if (message.kind === "notice") return [];
        const now = yield* Clock.currentTimeMillis;
        const account = eventAccount(ids, message.account);
        return yield* Effect.forEach(changes, (change) =>
          Effect.map(entropy.id(128), (id) => outgoingEvent(eventId(now, id), account, message, change, now)),
        );
      });

      const commitWith = Effect.fnUntraced(function* (
        made: ReadonlyArray<MailEvent>,
        message: OutgoingMessage,
        token: string,
        lease: "keep" | "give back",
        { answer, events: before = [], mayHoldFiles = true }: CommitOptions = {},
      ) {
        const events = [...before, ...made];
        const unpins = mayHoldFiles && lease === "give back" && isFinished(message);
        const waits = lease === "give back" && message.waitsFor !== undefined;
        if (events.length === 0 && answer === undefined && !unpins && !waits) {
          return yield* journal.save(message, token, lease);
        }
        return yield* transaction.run(
          Effect.gen(function* () {
            const saved = waits ? yield* probeUnlessAnother(journal, message) : message;
            if (!(yield* journal.save(saved, token, lease))) return false;
            yield* publisher.publish(events);
            if (answer !== undefined) yield* keys.answer(message.id, answer);
            if (unpins) yield* uploads.unpin(message.id);
            return true;
          }),
        );
      });

      return OutgoingCommits.of({
        eventsOf,
        commit: (transition, token, lease, options) =>
          Effect.flatMap(eventsOf(transition), (events) =>
            commitWith(events, transition.message, token, lease, options),
          ),
        commitWithRetries: (transition, token, lease, options) =>
          Effect.flatMap(eventsOf(transition), (events) =>
            Effect.retry(commitWith(events, transition.message, token, lease, options), STORE_RETRIES),
          ),
      });
    }),
  );
}
