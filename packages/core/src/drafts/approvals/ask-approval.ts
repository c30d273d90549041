import { Clock, Duration, Effect, Option, Result } from "effect";
import { recordOperation } from "../../audit/neighbours.ts";
import { Fingerprints } from "../../auth/index.ts";
import { KEY_LIFETIME } from "../../creations/neighbours.ts";
import { addressKey } from "../../mail/index.ts";
import { IdempotencyKeys, Identities, SendInProgress, SendQuotas, type SendingKey } from "../../send/index.ts";
import {
  dailyLimitOf,
  type KeyedRequest,
  recipientKey,
  sentMail,
  spendByKey,
  writtenBefore,
} from "../../send/neighbours.ts";
import { type AccountId, canonicalText, Entropy } from "../../shared/index.ts";
import type { Draft, DraftContents } from "../Draft.ts";
import { isCurrentDraft } from "../draft-state.ts";
import { DraftChanged } from "../errors.ts";
import { draftStore } from "../open-draft.ts";
import type { Approval } from "./Approval.ts";
import { APPROVAL_LIFETIME } from "./approval-state.ts";
import { requesterView } from "./end-approvals.ts";

/** The number of characters of the text that an approval shows. */
const PREVIEW_CHARS = 500;

/** The ports and services that ask for approvals. */
export const approvalRequests = Effect.all({
  store: draftStore,
  mail: sentMail,
  identities: Identities,
  quotas: SendQuotas,
  idempotencyKeys: IdempotencyKeys,
  entropy: Entropy,
  fingerprints: Fingerprints,
});
export type ApprovalRequests = Effect.Success<typeof approvalRequests>;

/** Returns the hash of a draft's contents and sender. */
export const hashOf = Effect.fnUntraced(function* (
  { identities, fingerprints }: Pick<ApprovalRequests, "identities" | "fingerprints">,
  account: AccountId,
  contents: DraftContents,
) {
  const sender = yield* identities.sender(account, contents.from ?? undefined);
  return fingerprints.ofToken(canonicalText({ contents, sender }));
});

const previewOf = ({ text, html }: DraftContents): string =>
  (text ?? html?.replaceAll(/<[^>]*>/g, " ") ?? "").slice(0, PREVIEW_CHARS).toWellFormed();

/**
 * Fails if a key has reached its daily limit, so that a message beyond the limit leaves no draft and does not use up its
 * `Idempotency-Key`. The approval itself counts later.
 */
export const checkDailyLimit = Effect.fnUntraced(function* (
  { quotas }: Pick<ApprovalRequests, "quotas">,
  by: SendingKey,
) {
  const perDay = dailyLimitOf(by);
  if (perDay === null) return;
  const now = yield* Clock.currentTimeMillis;
  yield* quotas.modify(by.id, (quota) => Result.map(spendByKey(quota, perDay, now), () => quota));
});

/** Asks a person to approve the sending of a draft. If the key has a pending approval of this version, returns that approval. */
export const askApproval = Effect.fn("askApproval")(function* (
  { store, mail, identities, quotas, idempotencyKeys, entropy, fingerprints }: ApprovalRequests,
  account: AccountId,
  { id: draftId, version, contents }: Draft,
  by: SendingKey,
  keyed: KeyedRequest | null,
) {
  const { to, cc, bcc, subject, attachments } = contents;
  const addresses = [...new Map([...to, ...cc, ...bcc].map(({ address }) => [addressKey(address), address])).values()];
  const known = yield* writtenBefore(mail, account, addresses);
  const hash = yield* hashOf({ identities, fingerprints }, account, contents);
  const now = yield* Clock.currentTimeMillis;
  const { kind, id: requester, name, application } = by;
  const approval: Approval = {
    id: `${APPROVAL_PREFIX}${yield* entropy.id(128)}`,
    account,
    draftId,
    version,
    state: "pending",
    by: { kind, id: requester, name, application },
    recipients: addresses.map((address) => ({ address, known: known.has(recipientKey(address)) })),
    subject,
    preview: previewOf(contents),
    files: attachments.map((file) => ({ name: file.name, type: file.type, size: file.size })),
    hash,
    createdAt: now,
    expiresAt: now + Duration.toMillis(APPROVAL_LIFETIME),
    decidedAt: null,
    reason: null,
  };
  return yield* store.transaction.run(
    Effect.gen(function* () {
      const isCurrent = yield* store.records.change(account, draftId, (row) => [isCurrentDraft(row, version), row]);
      if (!Option.contains(isCurrent, true)) return yield* new DraftChanged();
      const asked = (yield* store.approvals.pending({ account, draft: draftId }, MAX_PENDING)).find(
        (one) => one.by.id === requester && one.version === version && now < one.expiresAt,
      );
      if (asked !== undefined) return asked;
      if (keyed !== null) {
        const { key, bodyHash } = keyed;
        const record = { account, key, bodyHash, outgoingId: approval.id, createdAt: now, answer: null };
        const isTaken = yield* idempotencyKeys.take(record, now - Duration.toMillis(KEY_LIFETIME));
        if (!isTaken) return yield* new SendInProgress();
      }
      const perDay = dailyLimitOf(by);
      if (perDay !== null) yield* quotas.modify(requester, (quota) => spendByKey(quota, perDay, now));
      yield* store.approvals.insert(approval);
      const recipients = addresses;
      const data = { approvalId: approval.id, draftId, by: requesterView(approval.by), recipients, subject };
      yield* store.events.publishNow(account, "approval.requested", data);
      yield* recordOperation("approvals.request", { account, target: draftId });
      return approval;
    }),
  );
});

/** The prefix of approval ids, which distinguishes them from ids of outgoing messages. */
export const APPROVAL_PREFIX = "apr_";

/** The maximum number of pending approvals of one draft that are compared. */
const MAX_PENDING = 100;
