import { Clock, Duration, Effect, Layer } from "effect";
import { UploadRecords } from "../send/index.ts";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { inSlices, Transaction } from "../shared/index.ts";
import { DraftFollower } from "./DraftFollower.ts";
import { Drafts } from "./Drafts.ts";
import { DraftSender } from "./DraftSender.ts";
import { SENT_LIFETIME } from "./limits.ts";
import { DraftRecords } from "./ports/DraftRecords.ts";

const data = Effect.map(DraftRecords, ({ erase, hasUnfinished }): AccountData => ({
  name: "drafts",
  eraseSlice: erase,
  needsCredential: hasUnfinished,
}));

/** Deletes drafts without a copy once the journal no longer keeps their messages. */
const sweepOf = Effect.gen(function* () {
  const { forget } = yield* DraftRecords;
  const { unpin } = yield* UploadRecords;
  const transaction = yield* Transaction;
  const slice = Effect.fnUntraced(function* (before: number) {
    const ids = yield* forget(before, ROWS_AT_ONCE);
    yield* unpin(ids);
    return ids.length === ROWS_AT_ONCE;
  });
  return Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(SENT_LIFETIME);
    yield* inSlices(transaction.run(slice(before)));
  });
});

/** The domain of drafts, which are kept in the Drafts folder and sent once. */
export const drafts = {
  layer: Layer.mergeAll(Drafts.layer, DraftSender.layer, DraftFollower.layer),
  data,
  workers: Effect.map(DraftFollower, (worker) => [worker]),
  sweeps: Effect.map(sweepOf, (sweep) => [sweep]),
};
