import { Clock, Duration, Effect } from "effect";
import { KEY_LIFETIME } from "../../creations/neighbours.ts";
import { inSlices, Transaction } from "../../shared/index.ts";
import { ROWS_AT_ONCE } from "../../shared/neighbours.ts";
import { FINISHED_LIFETIME } from "../limits.ts";
import { IdempotencyKeys } from "../ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { TrackedMessages } from "../ports/TrackedMessages.ts";

/** Deletes finished messages with their tracking images after 30 days, and idempotency keys after 24 hours. */
export const sweepSent = Effect.gen(function* () {
  const journal = yield* OutgoingJournal;
  const tracked = yield* TrackedMessages;
  const keys = yield* IdempotencyKeys;
  const transaction = yield* Transaction;

  const sliceBefore = Effect.fnUntraced(function* (before: number) {
    const messageIds = yield* journal.forgetFinished(before, ROWS_AT_ONCE);
    if (messageIds.length > 0) yield* tracked.remove(messageIds);
    return messageIds.length === ROWS_AT_ONCE;
  });

  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    yield* inSlices(transaction.run(sliceBefore(now - Duration.toMillis(FINISHED_LIFETIME))));
    const forgetKeys = keys.forget(now - Duration.toMillis(KEY_LIFETIME), ROWS_AT_ONCE);
    yield* inSlices(Effect.map(forgetKeys, (forgotten) => forgotten === ROWS_AT_ONCE));
  }).pipe(Effect.withSpan("sweepSent"));
});
