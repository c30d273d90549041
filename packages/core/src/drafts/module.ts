import { Clock, Duration, Effect, Layer } from "effect";
import { UploadRecords } from "../send/index.ts";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { inSlices, Transaction } from "../shared/index.ts";
import { DraftFollower } from "./DraftFollower.ts";
import { Drafts } from "./Drafts.ts";
import { DraftSender } from "./DraftSender.ts";
import { SENT_LIFETIME } from "./limits.ts";
import { Approvals } from "./approvals/Approvals.ts";
import { APPROVAL_LIFETIME } from "./approvals/approval-state.ts";
import { approvalStore, endPendingApprovals } from "./approvals/end-approvals.ts";
import { DraftRecords } from "./ports/DraftRecords.ts";

const data = Effect.gen(function* () {
  const { erase, hasUnfinished } = yield* DraftRecords;
  const store = yield* approvalStore;
  return {
    name: "drafts",
    eraseSlice: Effect.fnUntraced(function* (account, limit) {
      return (yield* store.approvals.erase(account, limit)) || (yield* erase(account, limit));
    }),
    needsCredential: hasUnfinished,
    endKey: (id) => Effect.as(endPendingApprovals(store, { requester: id }, { state: "withdrawn" }), {}),
  } satisfies AccountData;
});

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

/** How long approvals are kept after they were made: 90 days after the latest possible decision (spec 13.2). */
const APPROVALS_KEPT = Duration.sum(APPROVAL_LIFETIME, Duration.days(90));

/** Expires pending approvals after their time, and deletes old approvals. */
const sweepApprovals = Effect.gen(function* () {
  const store = yield* approvalStore;
  const transaction = yield* Transaction;
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    yield* transaction.run(endPendingApprovals(store, { expiresBy: now }, { state: "expired" }));
    const before = now - Duration.toMillis(APPROVALS_KEPT);
    yield* inSlices(Effect.map(store.approvals.forget(before, ROWS_AT_ONCE), (count) => count === ROWS_AT_ONCE));
  });
});

/** The domain of drafts: stored in the Drafts folder, sent once. */
export const drafts = {
  layer: Approvals.layer.pipe(Layer.provideMerge(Layer.mergeAll(Drafts.layer, DraftSender.layer, DraftFollower.layer))),
  data,
  workers: Effect.map(DraftFollower, (worker) => [worker]),
  sweeps: Effect.all([sweepOf, sweepApprovals]),
};
