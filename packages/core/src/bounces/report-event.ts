import { type EventAccount } from "../events/neighbours.ts";
import { type MailEvent, writeEvent } from "../events/index.ts";
import type { OutgoingMessage } from "../send/index.ts";
import type { Settlement } from "./match.ts";

/** Returns the event about a settlement (spec 7); `now` in epoch milliseconds. */
export const reportEvent = (
  id: string,
  account: EventAccount,
  { id: outboxId, messageId, subject }: OutgoingMessage,
  { recipient, outcome }: Settlement,
  now: number,
): MailEvent => {
  if (outcome.kind === "complaint") {
    const { feedbackType } = outcome;
    return writeEvent(id, account, "email.complained", now, { outboxId, messageId, recipient, feedbackType });
  }
  const { status, diagnosticCode, reportingMta } = outcome.report;
  const data = {
    outboxId,
    messageId,
    recipient,
    status,
    diagnosticCode,
    reportingMta,
    source: "dsn",
    subject,
  } as const;
  return outcome.kind === "bounce"
    ? writeEvent(id, account, "email.bounced", now, { ...data, type: "permanent" })
    : writeEvent(id, account, "email.delayed", now, { ...data, type: "transient" });
};
