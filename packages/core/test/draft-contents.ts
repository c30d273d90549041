import type { Draft } from "../src/drafts/index.ts";

/** The contents of a draft with nothing but a subject and a text. */
export const draftContents = (subject: string, text: string): Draft["contents"] => ({
  from: null,
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  subject,
  text,
  html: null,
  inReplyTo: null,
  references: [],
  headers: [],
  attachments: [],
  trackOpens: false,
  sendAt: null,
  replyToMessageId: null,
});
