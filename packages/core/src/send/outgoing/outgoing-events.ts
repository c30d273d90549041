import { type EventAccount } from "../../events/neighbours.ts";
import { type MailEvent, writeEvent } from "../../events/index.ts";
import { replyStatus, replyText } from "./attempt-failure.ts";
import type { OpenClass, TrackedMessage } from "../opens/opens.ts";
import type { OutgoingMessage, SmtpReply } from "./OutgoingMessage.ts";
import type { OutgoingChange } from "./outgoing-transitions.ts";

/** Returns the event about an outgoing message (spec 7); `now` in epoch milliseconds. */
export const outgoingEvent = (
  id: string,
  account: EventAccount,
  message: OutgoingMessage,
  change: OutgoingChange,
  now: number,
): MailEvent => {
  const { messageId, from, to, cc, subject } = message;
  switch (change.type) {
    case "email.sent": {
      const renamed = message.providerMessageId === undefined ? {} : { providerMessageId: message.providerMessageId };
      const data = { messageId, ...renamed, from, to, toCount: to.length, cc, ccCount: cc.length, subject };
      return writeEvent(id, account, change.type, now, data);
    }
    case "email.bounced":
      return writeEvent(id, account, change.type, now, { ...aboutRecipient(message, change), type: "permanent" });
    case "email.delayed":
      return writeEvent(id, account, change.type, now, { ...aboutRecipient(message, change), type: "transient" });
    case "email.failed":
      return writeEvent(id, account, change.type, now, { messageId, state: change.state, reason: change.reason });
  }
};

const aboutRecipient = (
  { messageId, subject }: OutgoingMessage,
  { recipient, reply }: { readonly recipient: string; readonly reply: SmtpReply | null },
) => ({
  messageId,
  recipient,
  status: reply === null ? null : replyStatus(reply),
  diagnosticCode: reply === null ? null : `smtp; ${replyText(reply)}`,
  reportingMta: null,
  source: "smtp" as const,
  subject,
});

/** Returns the event `email.opened` (spec 7): `openedAt` in ISO 8601, `now` in epoch milliseconds. */
export const openEvent = (
  id: string,
  account: EventAccount,
  { messageId, recipient, opens }: TrackedMessage,
  open: { readonly classification: OpenClass; readonly userAgent: string; readonly openedAt: string },
  now: number,
): MailEvent => {
  const count = Object.values(opens).reduce((sum, { count }) => sum + count, 0);
  return writeEvent(id, account, "email.opened", now, { messageId, recipient, count, first: count === 1, ...open });
};
