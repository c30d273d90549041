import type { Approval as ApprovalAnswer, ApprovalAsked, SendResult } from "@postern/api";
import { type Approval, requesterView } from "@postern/core/drafts";
import type { SendReceipt } from "@postern/core/send";
import { instantOf, instantOrNull } from "./instant-of.ts";

/** Returns an approval as answers show it (spec 13.2). */
export const approvalRecord = (approval: Approval): typeof ApprovalAnswer.Type => ({
  id: approval.id,
  state: approval.state,
  draftId: approval.draftId,
  version: String(approval.version),
  by: requesterView(approval.by),
  recipients: approval.recipients,
  subject: approval.subject,
  preview: approval.preview,
  files: approval.files,
  createdAt: instantOf(approval.createdAt),
  expiresAt: instantOf(approval.expiresAt),
  decidedAt: instantOrNull(approval.decidedAt),
  reason: approval.reason,
});

/** Returns the answer to a request to send: the receipt, or the approval that a person is asked for. */
export const sentOrAsked = (
  outcome: { readonly receipt: SendReceipt } | { readonly approval: Approval },
): typeof SendResult.Type | typeof ApprovalAsked.Type =>
  "receipt" in outcome
    ? { ok: true as const, ...outcome.receipt }
    : { ok: true as const, approval: approvalRecord(outcome.approval) };
