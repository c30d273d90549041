import { UPLOAD } from "./outgoing.ts";

/* A draft of the examples: Robin (demo@postern.test) answers Sam (friend@postern.test). */

export const DRAFT_ID = "dft_Zk4sQx7pTn2uWb9yHc1LfA";

export const DRAFT_ENTRY = {
  id: DRAFT_ID,
  version: "3",
  state: "draft",
  reason: null,
  savedAt: "2026-03-02T10:12:00.000Z",
  to: [{ name: "Sam Friend", address: "friend@postern.test" }],
  cc: [],
  subject: "Re: Invoice 2026-014",
  hasAttachments: true,
};

export const DRAFT = {
  id: DRAFT_ID,
  version: "3",
  state: "draft",
  reason: null,
  savedAt: "2026-03-02T10:12:00.000Z",
  from: null,
  to: [{ name: "Sam Friend", address: "friend@postern.test" }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: "Re: Invoice 2026-014",
  text: "Hello Sam,\n\npaid; the receipt is attached.\n\nRobin\n",
  html: null,
  attachments: [{ ...UPLOAD, contentId: null }],
  inReplyTo: "<20260302-014@postern.test>",
  references: ["<20260302-014@postern.test>"],
  headers: {},
  trackOpens: false,
  sendAt: null,
  expiresAfter: null,
  replyToMessageId: null,
  force: false,
};

export const DRAFT_REQUEST = {
  to: "Sam Friend <friend@postern.test>",
  subject: "Re: Invoice 2026-014",
  text: "Hello Sam,\n\npaid; the receipt is attached.\n\nRobin\n",
  attachments: [{ id: UPLOAD.id }],
};
