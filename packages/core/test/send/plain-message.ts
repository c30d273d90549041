import type { MessageToSend } from "../../src/send/MessageToSend.ts";

/** An address without a name. */
export const address = (text: string) => ({ name: "", address: text });

/** A message to `ok@y.test` with nothing but a subject and a text. */
export const MESSAGE: MessageToSend = {
  to: [address("ok@y.test")],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: "s",
  text: "t",
  html: null,
  inReplyTo: null,
  references: [],
  headers: [],
  attachments: [],
  trackOpens: false,
  sendAt: null,
  expiresAfter: null,
};
