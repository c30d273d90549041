import { Clock, Effect, Option } from "effect";
import { recordOperation } from "../../audit/neighbours.ts";
import type { SendingKey } from "../../send/index.ts";
import type { SendError } from "../../send/neighbours.ts";
import type { AccountId, InputInvalid, StoreUnavailable } from "../../shared/index.ts";
import { checkerOf, checkId } from "../../shared/neighbours.ts";
import { DraftSender } from "../DraftSender.ts";
import { ApprovalChanged, ApprovalDecided, ApprovalNotFound, ApprovalOwn, IfMatchRequired } from "../errors.ts";
import type { DraftStore } from "../open-draft.ts";
import { approvalFields } from "../rules.ts";
import type { Approval } from "./Approval.ts";
import { type ApprovalRequests, approvalRequests, hashOf } from "./ask-approval.ts";
import { end } from "./end-approvals.ts";
import { hasEnded, requesters } from "./requesters.ts";

/** The deciding key; null for a person. */
type Decider = Pick<SendingKey, "id"> | null;

export type DecisionError = InputInvalid | ApprovalNotFound | ApprovalDecided | ApprovalOwn | StoreUnavailable;

/** The errors of sending a message that needs no approval or is approved. */
export type DecidedSendError = Exclude<SendError, { readonly _tag: "ApprovalNeeded" }>;

const checkDenial = checkerOf({ reason: approvalFields.reason });

/** Finds an approval; expires it first if its time is over. */
export const findApproval = Effect.fn("Approvals.find")(function* (
  store: DraftStore,
  account: AccountId,
  id: string,
): Effect.fn.Return<Approval, InputInvalid | ApprovalNotFound | StoreUnavailable> {
  yield* checkId({ id });
  const found = yield* store.approvals.find(account, id);
  if (Option.isNone(found)) return yield* new ApprovalNotFound();
  const now = yield* Clock.currentTimeMillis;
  if (found.value.state !== "pending" || now < found.value.expiresAt) return found.value;
  const ended = yield* store.transaction.run(end(store, account, id, { state: "expired" }));
  return Option.getOrElse(ended, () => found.value);
});

/** The ports and services that decide approvals. */
export const decisionServices = Effect.all({ requests: approvalRequests, drafts: DraftSender, requesters });
type DecisionServices = Effect.Success<typeof decisionServices>;

const endAs = ({ store }: ApprovalRequests, account: AccountId, id: string, state: "stale" | "withdrawn") =>
  store.transaction.run(end(store, account, id, { state }));

/** Returns the approval; fails for the key that asked for it. */
const findToDecide = Effect.fnUntraced(function* (store: DraftStore, account: AccountId, id: string, by: Decider) {
  const approval = yield* findApproval(store, account, id);
  return by?.id === approval.by.id ? yield* new ApprovalOwn() : approval;
});

/**
 * Returns the writes that approve the draft, for the transaction that hands the draft over. If a write fails, the draft
 * is not sent.
 */
const approveWithin = (requests: ApprovalRequests, { account, id, draftId, hash }: Approval) =>
  Effect.fnUntraced(function* () {
    const { store } = requests;
    const after = Option.getOrNull(yield* end(store, account, id, { state: "approved" }));
    if (after?.state !== "approved") return yield* new ApprovalDecided({ state: after?.state ?? "withdrawn" });
    const draft = Option.getOrNull(yield* store.records.find(account, draftId));
    const current = draft === null ? null : yield* hashOf(requests, account, draft.contents);
    if (current !== hash) return yield* new ApprovalChanged();
    yield* recordOperation("approvals.approve", { account, target: id });
  });

/** Sends the draft of an approval in the version that the person saw, in the transaction that approves it. */
export const approveDraft = Effect.fn("Approvals.approve")(function* (
  services: DecisionServices,
  account: AccountId,
  id: string,
  version: string | undefined,
  by: Decider,
): Effect.fn.Return<Approval, DecisionError | ApprovalChanged | IfMatchRequired | DecidedSendError> {
  const { requests, drafts } = services;
  if (version === undefined) return yield* new IfMatchRequired();
  const asked = yield* findToDecide(requests.store, account, id, by);
  if (String(asked.version) !== version) return yield* new ApprovalChanged();
  if (asked.state === "approved") return asked;
  if (asked.state !== "pending") return yield* new ApprovalDecided({ state: asked.state });
  if (yield* hasEnded(services.requesters, asked.by)) {
    yield* endAs(requests, account, id, "withdrawn");
    return yield* new ApprovalDecided({ state: "withdrawn" });
  }
  const requester = { ...asked.by, sendPerDay: null, policy: null };
  const sent = yield* Effect.result(
    drafts.send(account, asked.draftId, version, undefined, requester, approveWithin(requests, asked)),
  );
  // Even if the first attempt fails, the draft was handed over: the outbox has the outcome.
  const after = yield* findApproval(requests.store, account, id);
  if (after.state === "approved") return after;
  if (sent._tag === "Success") return yield* new ApprovalDecided({ state: after.state });
  const { failure } = sent;
  if (failure._tag === "ApprovalNeeded") return yield* Effect.die(failure);
  if (failure._tag !== "ApprovalChanged" && failure._tag !== "DraftChanged" && failure._tag !== "DraftNotFound") {
    return yield* failure;
  }
  const ended = Option.getOrElse(yield* endAs(requests, account, id, "stale"), () => after);
  return yield* new ApprovalDecided({ state: ended.state });
});

/** Denies an approval, so that its draft is not sent. */
export const denyDraft = Effect.fn("Approvals.deny")(function* (
  { requests: { store } }: DecisionServices,
  account: AccountId,
  id: string,
  reason: string | undefined,
  by: Decider,
): Effect.fn.Return<Approval, DecisionError> {
  yield* checkDenial({ reason });
  yield* findToDecide(store, account, id, by);
  const ended = yield* store.transaction.run(
    Effect.tap(end(store, account, id, { state: "denied", reason: reason ?? null }), () =>
      recordOperation("approvals.deny", { account, target: id }),
    ),
  );
  if (Option.isNone(ended)) return yield* new ApprovalNotFound();
  return ended.value.state === "denied" ? ended.value : yield* new ApprovalDecided({ state: ended.value.state });
});
