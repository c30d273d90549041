import type { MessageSummary } from "../../src/mail/index.ts";

/** A message as a listing shows it, without a header unless fields are given. */
export const summaryWith = (fields: Partial<MessageSummary> = {}): MessageSummary => ({
  uid: 1,
  messageId: null,
  threadId: null,
  subject: "",
  from: null,
  to: [],
  cc: [],
  toCount: fields.to?.length ?? 0,
  ccCount: fields.cc?.length ?? 0,
  arrivedAt: 0,
  sentAt: null,
  unread: true,
  flagged: false,
  answered: false,
  draft: false,
  labels: [],
  size: 1,
  attachments: [],
  attachmentCount: fields.attachments?.length ?? 0,
  ...fields,
});
