import type { Approval as ApprovalAnswer, ApprovalAsked, ApprovalWithCalls } from "@postern/api";
import type { AuditEntry } from "@postern/core/audit";
import { type Approval, requesterView } from "@postern/core/drafts";
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

/** Returns a call that an agent made before its request for approval. */
export const callRecord = ({ createdAt, operation, ids, outcome }: AuditEntry): Call => ({
  createdAt: instantOf(createdAt),
  operation,
  ids,
  outcome,
});

/** Returns the answer to a request to send that needs a person's approval. */
export const approvalAsked = (approval: Approval): typeof ApprovalAsked.Type => ({
  ok: true as const,
  approval: approvalRecord(approval),
});
