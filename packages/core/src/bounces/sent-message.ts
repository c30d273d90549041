import type { OutgoingMessage } from "../send/index.ts";
import type { SentMessage } from "./match.ts";

const LEFT = new Set(["dot", "sent", "unknown", "failed"]);

/** A message of the journal as reports are matched with it: who never got it is in no report. */
export const sentMessageOf = ({ id, messageId, subject, createdAt, recipients }: OutgoingMessage): SentMessage => ({
  id,
  messageId,
  envelopeId: id,
  subject,
  sentAt: createdAt,
  recipients: recipients
    .filter(({ state }) => LEFT.has(state))
    .map(({ address, state }) => ({ address, bounced: state === "failed" })),
});
