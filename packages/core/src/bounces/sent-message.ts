import type { OutgoingMessage } from "../send/index.ts";
import type { SentMessage } from "./match.ts";

const REPORTABLE = new Set(["dot", "sent", "unknown", "failed"]);

/** Returns a journaled message as reports are matched with it, without recipients it was never submitted for. */
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
