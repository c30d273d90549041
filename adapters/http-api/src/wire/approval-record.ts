import type { Approval as ApprovalAnswer, ApprovalAsked, ApprovalWithCalls, SendResult } from "@postern/api";
import type { AuditEntry } from "@postern/core/audit";
import { type Approval, requesterView } from "@postern/core/drafts";
import type { SendReceipt } from "@postern/core/send";
import { instantOf, instantOrNull } from "./instant-of.ts";

type Call = (typeof ApprovalWithCalls.Type)["calls"][number];

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

/** Returns a call that an agent made before it asked. */
export const callRecord = ({ createdAt, operation, ids, outcome }: AuditEntry): Call => ({
  createdAt: instantOf(createdAt),
  operation,
  ids,
  outcome,
});

/** Returns the answer to a request to send: the receipt, or the approval that a person is asked for. */
export const sentOrAsked = (
  outcome: { readonly receipt: SendReceipt } | { readonly approval: Approval },
): typeof SendResult.Type | typeof ApprovalAsked.Type =>
  "receipt" in outcome
    ? { ok: true as const, ...outcome.receipt }
    : { ok: true as const, approval: approvalRecord(outcome.approval) };
