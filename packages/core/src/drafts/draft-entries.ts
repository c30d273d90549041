import type { MessageSummary } from "../mail/index.ts";
import type { Draft } from "./Draft.ts";
import type { DraftEntry } from "./DraftEntry.ts";

/** Returns the entry of a stored draft. */
export const entryOf = ({ id, version, state, reason, savedAt, contents }: Draft): DraftEntry => ({
  id,
  version,
  state: state === "draft" ? "draft" : "sending",
  reason,
  savedAt,
  to: contents.to,
  cc: contents.cc,
  subject: contents.subject,
  hasAttachments: contents.attachments.length > 0,
});

/** Returns the entry of another client's draft, with the version that the draft gets when it is opened. */
export const foreignEntry = (id: string, version: number, message: MessageSummary): DraftEntry => ({
  id,
  version,
  state: "draft",
  reason: null,
  savedAt: message.arrivedAt,
  to: message.to,
  cc: message.cc,
  subject: message.subject,
  hasAttachments: message.attachments.length > 0,
});
