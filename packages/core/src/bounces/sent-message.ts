import type { OutgoingMessage } from "../send/index.ts";
import type { SentMessage } from "./match.ts";

const REPORTABLE = new Set(["dot", "sent", "unknown", "failed"]);

/** Returns the parts of a journaled message that identify it in reports, without recipients for whom it was never submitted. */
export const sentMessageOf = ({
  id,
  messageId,
  providerMessageId,
  subject,
  createdAt,
  recipients,
}: OutgoingMessage): SentMessage => ({
  id,
  messageIds: providerMessageId === undefined ? [messageId] : [messageId, providerMessageId],
  envelopeId: id,
  subject,
  sentAt: createdAt,
  recipients: recipients
    .filter(({ state }) => REPORTABLE.has(state))
    .map(({ address, state }) => ({ address, bounced: state === "failed" })),
});
