import { AccountId } from "../src/shared/index.ts";
import type { OutgoingMessage, SmtpReply } from "../src/send/index.ts";
import type { RecipientState } from "../src/send/outgoing/OutgoingMessage.ts";

export const reply = (code: number, enhanced: string | null = null): SmtpReply => ({ code, enhanced, text: "said so" });

/** An outgoing message; recipients are queued by default. */
export const outgoing = (
  recipients: Readonly<Record<string, RecipientState>> = { "a@y.test": "queued" },
): OutgoingMessage => ({
  id: "out_1",
  account: AccountId("me@x.test"),
  messageId: "<out_1@x.test>",
  createdAt: 0,
  from: "me@x.test",
  to: Object.keys(recipients),
  cc: [],
  subject: "Hello",
  recipients: Object.entries(recipients).map(([address, state]) => ({ address, state, reply: null })),
  step: 0,
  attemptAt: 0,
  scheduledFor: null,
  paused: null,
  failure: null,
  copy: { state: "owed", step: 0, at: null },
});

export const statesOf = ({ recipients }: OutgoingMessage) =>
  Object.fromEntries(recipients.map(({ address, state }) => [address, state]));
