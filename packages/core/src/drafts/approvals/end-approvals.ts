import { Clock, Effect, Option } from "effect";
import { EventPublisher } from "../../events/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import { ROWS_AT_ONCE } from "../../shared/neighbours.ts";
import { ApprovalRecords, type PendingFilter } from "../ports/ApprovalRecords.ts";
import type { Approval, Requester } from "./Approval.ts";
import { type Ending, endApproval } from "./approval-state.ts";

/** The ports that end approvals and report their end. */
export const approvalStore = Effect.all({ approvals: ApprovalRecords, events: EventPublisher });
export type ApprovalStore = Effect.Success<typeof approvalStore>;

/** Returns the key or the grant of an approval in the form of events and answers. */
export const requesterView = ({ kind, id, name }: Requester) =>
  kind === "key" ? { key: id, name } : { grant: id, name };

/** Ends a pending approval and reports the end, within the transaction of its cause. Returns the approval afterwards. */
export const end = Effect.fnUntraced(function* (
  { approvals, events }: ApprovalStore,
  account: AccountId,
  id: string,
  ending: Ending,
): Effect.fn.Return<Option.Option<Approval>, StoreUnavailable> {
  const now = yield* Clock.currentTimeMillis;
  const changed = yield* approvals.change(account, id, (known) => {
    const after = endApproval(known, ending, now);
    return [{ after, isEnded: after !== known }, after];
  });
  if (Option.isNone(changed)) return Option.none();
  const { after, isEnded } = changed.value;
  if (isEnded && after.state !== "pending") {
    const { draftId, state, by, subject, reason } = after;
    const data = { approvalId: id, draftId, state, by: requesterView(by), subject, reason };
    yield* events.publishNow(account, "approval.decided", data);
  }
  return Option.some(after);
});

/** Ends all pending approvals that match the filter, within the transaction of the cause. */
export const endPendingApprovals = Effect.fnUntraced(function* (
  store: ApprovalStore,
  filter: PendingFilter,
  ending: Ending,
) {
  for (;;) {
    const pending = yield* store.approvals.pending(filter, ROWS_AT_ONCE);
    for (const { account, id } of pending) yield* end(store, account, id, ending);
    if (pending.length < ROWS_AT_ONCE) return;
  }
});
