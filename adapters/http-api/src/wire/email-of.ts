import type { ChangedMessage as ChangedEmail, Email } from "@postern/api";
import type { MessageSummary } from "@postern/core/mail";
import type { ChangedMessage, InboxEntry } from "@postern/core/messages";
import { instantOf, instantOrNull } from "./instant-of.ts";

/** Returns a listed message as the API represents it (spec 5). */
export const emailOf = ({ id, message, preview }: InboxEntry, folder: InFolder): typeof Email.Type => ({
  id,
  uid: message.uid,
  ...fieldsOf(message, folder, preview ?? null),
});

/** Returns a changed message, whose id may be unknown. */
export const changedEmailOf = ({ id, message, folder }: ChangedMessage): typeof ChangedEmail.Type => ({
  id,
  uid: message.uid,
  ...fieldsOf(message, folder, null),
});

/** The folder of a message. */
type InFolder = ChangedMessage["folder"];

const fieldsOf = (message: Omit<MessageSummary, "uid">, folder: InFolder, preview: string | null) => ({
  folder: folder.path,
  folderId: folder.id,
  messageId: message.messageId,
  threadId: message.threadId,
  subject: message.subject,
  from: message.from?.address ?? "",
  fromName: message.from?.name ?? "",
  to: message.to,
  cc: message.cc,
  toCount: message.toCount,
  ccCount: message.ccCount,
  truncated:
    message.toCount > message.to.length ||
    message.ccCount > message.cc.length ||
    message.attachmentCount > message.attachments.length,
  date: instantOf(message.arrivedAt),
  sentAt: instantOrNull(message.sentAt),
  unread: message.unread,
  flagged: message.flagged,
  answered: message.answered,
  draft: message.draft,
  labels: message.labels,
  size: message.size,
  hasAttachments: message.attachments.length > 0,
  attachments: message.attachments,
  preview,
});
