import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { Audit, type AuditEntry } from "../../audit/index.ts";
import type { CreatedThenDeleted, CreationInProgress } from "../../creations/index.ts";
import { IdempotencyKeyReused, KEY_LIFETIME } from "../../creations/neighbours.ts";
import { MessageSender, type SendingKey, type SendReceipt } from "../../send/index.ts";
import { checkSendKey, keyedRequest, type SendRequest } from "../../send/neighbours.ts";
import type { AccountId, InputInvalid, StoreUnavailable } from "../../shared/index.ts";
import { checkerOf, type Page, type PageRequest, readPage } from "../../shared/neighbours.ts";
import { Drafts } from "../Drafts.ts";
import { DraftSender } from "../DraftSender.ts";
import {
  type ApprovalChanged,
  type ApprovalNotFound,
  DraftChanged,
  type DraftNotFound,
  IfMatchRequired,
  type StorageExceeded,
} from "../errors.ts";
import { approvalFields } from "../rules.ts";
import type { Approval, ApprovalState } from "./Approval.ts";
import { APPROVAL_PREFIX, askApproval, checkDailyLimit } from "./ask-approval.ts";
import {
  approveDraft,
  type DecidedSendError,
  type DecisionError,
  decisionServices,
  denyDraft,
  findApproval,
} from "./decide-approval.ts";
import { endPendingApprovals } from "./end-approvals.ts";

type AskError = DecidedSendError | DraftChanged | StorageExceeded | CreationInProgress | CreatedThenDeleted;

/** The outcome of a request to send: the message was sent or queued, or a person is asked. */
type SentOrAsked = { readonly receipt: SendReceipt } | { readonly approval: Approval };

/** An approval with the calls that the agent made before it asked, newest first. */
interface ApprovalWithCalls extends Approval {
  readonly calls: ReadonlyArray<AuditEntry>;
}

/** A filter for the approvals to list. */
interface ApprovalSearch extends PageRequest {
  readonly state?: ApprovalState | undefined;
}

const checkSearch = checkerOf({ state: approvalFields.state });

/** Sends messages within a key's policy, asks a person to approve all others, and sends approved messages once (spec 13.2). */
export class Approvals extends Context.Service<
  Approvals,
  {
    /** Sends a message as `MessageSender` does. A message that needs an approval becomes a draft, and a person is asked to approve it. */
    readonly send: (
      account: AccountId,
      request: SendRequest,
      key: string | undefined,
      by: SendingKey | null,
    ) => Effect.Effect<SentOrAsked, AskError>;
    /** Sends a draft as `DraftSender` does, or asks a person to approve it. An agent must name the version. */
    readonly sendDraft: (
      account: AccountId,
      id: string,
      version: string | undefined,
      key: string | undefined,
      by: SendingKey | null,
    ) => Effect.Effect<SentOrAsked, AskError | DraftNotFound | IfMatchRequired>;
    /** Returns a page of the approvals of an account, newest first. */
    readonly page: (
      account: AccountId,
      search: ApprovalSearch,
    ) => Effect.Effect<Page<Approval>, InputInvalid | StoreUnavailable>;
    /** Returns an approval with the calls that the agent made before it asked. */
    readonly find: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<ApprovalWithCalls, InputInvalid | ApprovalNotFound | StoreUnavailable>;
    /** Sends the draft in the version that the person saw, in the transaction that approves it; `by` is the approving key. */
    readonly approve: (
      account: AccountId,
      id: string,
      version: string | undefined,
      by: Pick<SendingKey, "id"> | null,
    ) => Effect.Effect<Approval, DecisionError | ApprovalChanged | IfMatchRequired | DecidedSendError>;
    readonly deny: (
      account: AccountId,
      id: string,
      reason: string | undefined,
      by: Pick<SendingKey, "id"> | null,
    ) => Effect.Effect<Approval, DecisionError>;
  }
>()("@postern/core/drafts/approvals/Approvals") {
  static readonly layer = Layer.effect(
    Approvals,
    Effect.gen(function* () {
      const services = yield* decisionServices;
      const { requests } = services;
      const { store, idempotencyKeys, fingerprints } = requests;
      const { approvals, transaction } = store;
      const drafts = yield* Drafts;
      const draftSender = yield* DraftSender;
      const sender = yield* MessageSender;
      const audit = yield* Audit;

      /** Returns the approval that an earlier request with the same key created. */
      const findAsked = Effect.fnUntraced(function* (
        account: AccountId,
        request: SendRequest,
        key: string | undefined,
      ) {
        yield* checkSendKey({ "idempotency-key": key });
        const keyed = keyedRequest(fingerprints, account, request, key);
        if (keyed === null) return { keyed, asked: null };
        const record = Option.getOrNull(yield* idempotencyKeys.find(account, keyed.key));
        const now = yield* Clock.currentTimeMillis;
        const isUsed = record !== null && now - record.createdAt < Duration.toMillis(KEY_LIFETIME);
        if (!isUsed || !record.outgoingId.startsWith(APPROVAL_PREFIX)) return { keyed, asked: null };
        if (record.bodyHash !== keyed.bodyHash) return yield* new IdempotencyKeyReused();
        return { keyed, asked: Option.getOrNull(yield* approvals.find(account, record.outgoingId)) };
      });

      const send = Effect.fn("Approvals.send")(function* (
        account: AccountId,
        request: SendRequest,
        key: string | undefined,
        by: SendingKey | null,
      ): Effect.fn.Return<SentOrAsked, AskError> {
        const { keyed, asked } = yield* findAsked(account, request, key);
        if (asked !== null) return { approval: asked };
        if (by === null || by.policy === null) {
          const receipt = yield* sender
            .send(account, request, key, by)
            .pipe(Effect.catchTag("ApprovalNeeded", Effect.die));
          return { receipt };
        }
        const sent = yield* sender.send(account, request, key, by).pipe(
          Effect.map((receipt) => ({ receipt })),
          Effect.catchTag("ApprovalNeeded", () => Effect.succeed(null)),
        );
        if (sent !== null) return sent;
        yield* checkDailyLimit(requests, by);
        const creation = key === undefined ? undefined : { caller: `send ${by.id} ${account}`, key, account };
        const draft = yield* drafts.create(account, request, creation);
        return { approval: yield* askApproval(requests, account, draft, by, keyed) };
      });

      const sendDraft = Effect.fn("Approvals.sendDraft")(function* (
        account: AccountId,
        id: string,
        version: string | undefined,
        key: string | undefined,
        by: SendingKey | null,
      ): Effect.fn.Return<SentOrAsked, AskError | DraftNotFound | IfMatchRequired> {
        if (by !== null && by.policy !== null && version === undefined) return yield* new IfMatchRequired();
        const sent = yield* draftSender.send(account, id, version, key, by).pipe(
          Effect.map((receipt) => ({ receipt })),
          Effect.catchTag("ApprovalNeeded", () => Effect.succeed(null)),
        );
        if (sent !== null || by === null) return sent ?? (yield* Effect.die(new Error("a person needs no approval")));
        const draft = yield* drafts.get(account, id);
        if (String(draft.version) !== version) return yield* new DraftChanged();
        return { approval: yield* askApproval(requests, account, draft, by, null) };
      });

      const page = Effect.fn("Approvals.page")(function* (account: AccountId, search: ApprovalSearch) {
        yield* checkSearch({ state: search.state });
        yield* transaction.run(
          endPendingApprovals(store, { expiresBy: yield* Clock.currentTimeMillis }, { state: "expired" }),
        );
        return yield* readPage(
          search,
          ({ createdAt, id }: Approval) => ({ at: createdAt, id }),
          (after, limit) => approvals.list(account, search.state, after, limit),
        );
      });

      return Approvals.of({
        send,
        sendDraft,
        page,
        find: Effect.fnUntraced(function* (account, id) {
          const approval = yield* findApproval(store, account, id);
          return { ...approval, calls: yield* audit.callsBefore(approval.createdAt, approval.by.id, account) };
        }),
        approve: (account, id, version, by) => approveDraft(services, account, id, version, by),
        deny: (account, id, reason, by) => denyDraft(services, account, id, reason, by),
      });
    }),
  );
}
