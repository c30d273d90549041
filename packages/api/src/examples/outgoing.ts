import { ACCOUNT_ID } from "./accounts.ts";

/* The outgoing mail of the examples: Robin (demo@postern.test) answers Sam (friend@postern.test). */

export const OUTGOING_ID = "out_6Ja34Dr7XnZ1G-uuezwBXw";
const messageId = `<${OUTGOING_ID}@postern.test>`;

export const UPLOAD = {
  id: "up_YMdn_-dkwkBfJ2Yk6qVzsw",
  name: "receipt.pdf",
  url: "/api/uploads/up_YMdn_-dkwkBfJ2Yk6qVzsw",
  type: "application/pdf",
  size: 20480,
};

export const OUTGOING_MAIL = {
  to: "friend@postern.test",
  subject: "Re: Invoice 2026-014",
  text: "Hello Sam,\n\npaid; the receipt is attached.\n\nRobin\n",
  attachments: [UPLOAD],
};

export const SEND_RESULT = {
  ok: true,
  messageId,
  providerMessageId: null,
  id: OUTGOING_ID,
  status: "sent",
  rejected: [],
};

export const OUTGOING_ITEM = {
  id: OUTGOING_ID,
  messageId,
  providerMessageId: null,
  state: "queued",
  key: "Zk3q8VbnT0eLr2Wd",
  application: "crm",
  subject: "Re: Invoice 2026-014",
  to: ["friend@postern.test"],
  cc: [],
  recipients: [
    { address: "friend@postern.test", state: "queued", status: "4.3.2", detail: "421 4.3.2 try again later" },
  ],
  createdAt: "2026-03-02T10:15:00.000Z",
  sendAt: null,
  attempts: 1,
  nextAttemptAt: "2026-03-02T10:16:00.000Z",
  failure: null,
  sentCopy: { state: "none", nextAttemptAt: null, failure: null },
};

export const OPERATOR_OUTGOING_ITEM = {
  id: OUTGOING_ID,
  messageId,
  account: { id: ACCOUNT_ID, email: "demo@postern.test" },
  key: OUTGOING_ITEM.key,
  application: OUTGOING_ITEM.application,
  state: "held",
  heldAt: "2026-03-02T10:15:30.000Z",
  heldBy: "operator",
  from: "demo@postern.test",
  recipients: OUTGOING_ITEM.recipients,
  createdAt: OUTGOING_ITEM.createdAt,
  sendAt: null,
  attempts: 1,
  nextAttemptAt: null,
  failure: { reason: "message_refused", detail: "421 4.3.2 try again later" },
};
