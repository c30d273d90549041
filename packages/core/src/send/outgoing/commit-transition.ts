import { Clock, Duration, Effect, Schedule } from "effect";
import { eventAccount } from "../../events/neighbours.ts";
import { eventId, EventPublisher, type MailEvent } from "../../events/index.ts";
import { Entropy, OpaqueIds, type StoreUnavailable, Transaction } from "../../shared/index.ts";
import { LEASE } from "../limits.ts";
import { outgoingEvent } from "./outgoing-events.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { isFinished } from "./outgoing-state.ts";
import type { Transition } from "./outgoing-transitions.ts";
import { IdempotencyKeys } from "../ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { UploadRecords } from "../ports/UploadRecords.ts";
import type { SendAnswer } from "../send-answer.ts";
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

/** What a transition is committed with. */
export const transitionWriter = Effect.all({
  journal: OutgoingJournal,
  publisher: EventPublisher,
  uploadRecords: UploadRecords,
  idempotencyKeys: IdempotencyKeys,
  ids: OpaqueIds,
  entropy: Entropy,
  transaction: Transaction,
});
export type TransitionWriter = Effect.Success<typeof transitionWriter>;

/** Returns the events that a transition raises (spec 7), each time with new ids. */
export const eventsOf = Effect.fnUntraced(function* (
  { ids, entropy }: TransitionWriter,
  { message, changes }: Transition,
): Effect.fn.Return<ReadonlyArray<MailEvent>> {
  if (message.kind === "notice") return [];
  const now = yield* Clock.currentTimeMillis;
  const account = eventAccount(ids, message.account);
  return yield* Effect.forEach(changes, (change) =>
    Effect.map(entropy.id(128), (id) => outgoingEvent(eventId(now, id), account, message, change, now)),
  );
});

/**
 * Commits a transition with its events (spec 6, 7); false, with nothing saved, if the lease was lost. A message that is
 * released and waits for a server is tried soon unless another one is (spec 6.4).
 */
export const commitTransition = (
  writer: TransitionWriter,
  transition: Transition,
  token: string,
  lease: "keep" | "release",
  options?: CommitOptions,
): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.flatMap(eventsOf(writer, transition), (events) =>
    commitWith(writer, events, transition.message, token, lease, options),
  );

/**
 * Retries the commit of a transition for as long as a lease lasts. Every retry writes the same events, because the
 * database may have kept a commit that failed.
 */
export const commitWithRetries = (
  writer: TransitionWriter,
  transition: Transition,
  token: string,
  lease: "keep" | "release",
  options?: CommitOptions,
): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.flatMap(eventsOf(writer, transition), (events) =>
    Effect.retry(commitWith(writer, events, transition.message, token, lease, options), STORE_RETRIES),
  );

const commitWith = Effect.fnUntraced(function* (
  { journal, publisher, uploadRecords, idempotencyKeys, transaction }: TransitionWriter,
  made: ReadonlyArray<MailEvent>,
  message: OutgoingMessage,
  token: string,
  lease: "keep" | "release",
  { answer, events: before = [], mayHoldFiles = true }: CommitOptions = {},
) {
  const events = [...before, ...made];
  const unpins = mayHoldFiles && lease === "release" && isFinished(message);
  const waits = lease === "release" && message.waitsFor !== undefined;
  if (events.length === 0 && answer === undefined && !unpins && !waits) {
    return yield* journal.save(message, token, lease);
  }
  return yield* transaction.run(
    Effect.gen(function* () {
      const saved = waits ? yield* probeUnlessAnother(journal, message) : message;
      if (!(yield* journal.save(saved, token, lease))) return false;
      yield* publisher.publish(events);
      if (answer !== undefined) yield* idempotencyKeys.answer(message.id, answer);
      if (unpins) yield* uploadRecords.unpin(message.id);
      return true;
    }),
  );
});
