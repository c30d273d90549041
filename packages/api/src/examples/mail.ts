/* The mail of the examples: Sam (friend@postern.test) sends Robin (demo@postern.test) an invoice. */

export const INVOICES = "f_mq6jppn6ewjunmnxfcpz";
export const PROJECTS = "f_ouzxkwcqypfprpavp2zm";

export const MESSAGE_ID = "T54ZJTRAIC0P18guRUVOeg";

const INBOX_ID = "f_wqz4lw2r4a7gp3fotcbe";

const attachment = { id: "2", name: "invoice-2026-014.pdf", type: "application/pdf", size: 48213 };

const listed = {
  id: MESSAGE_ID,
  uid: 227,
  folder: "INBOX",
  folderId: INBOX_ID,
  messageId: "<1yq78wj.u399v1@postern.test>",
  threadId: "t_MXlxNzh3ai51Mzk5djFAcG9zdGVybi50ZXN0",
  subject: "Invoice 2026-014",
  from: "friend@postern.test",
  fromName: "Sam Reed",
  to: [{ name: "Robin Vale", address: "demo@postern.test" }],
  cc: [],
  toCount: 1,
  ccCount: 0,
  truncated: false,
  date: "2026-03-02T09:30:02.000Z",
  sentAt: "2026-03-02T09:30:00.000Z",
  unread: true,
  flagged: false,
  answered: false,
  draft: false,
  labels: ["Invoices"],
  size: 67120,
  hasAttachments: true,
  preview: "Hello Robin, the invoice is attached. Sam",
};

export const EMAIL = { ...listed, attachments: [attachment] };

export const EMAIL_PAGE = {
  ok: true,
  folder: "INBOX",
  folderId: INBOX_ID,
  page: 1,
  limit: 1,
  total: 227,
  unread: 47,
  pages: 227,
  nextCursor: "MS4xNzk1MzE5MzEwLjIyNy4yMjcuaW5ib3g",
  emails: [EMAIL],
};

export const MESSAGE = {
  ...listed,
  attachments: [
    {
      ...attachment,
      inline: false,
      contentId: null,
      url: `/api/messages/${MESSAGE_ID}/attachments/2`,
    },
  ],
  automatic: false,
  replyTo: "",
  inReplyTo: null,
  references: [],
  headers: [
    { name: "From", value: "Sam Reed <friend@postern.test>" },
    { name: "To", value: "Robin Vale <demo@postern.test>" },
    { name: "Subject", value: "Invoice 2026-014" },
  ],
  text: "Hello Robin,\n\nthe invoice is attached.\n\nSam\n",
  newText: "Hello Robin,\n\nthe invoice is attached.\n\nSam",
  quotedText: "",
  html: null,
  authentication: { spf: "pass", dkim: "pass", dmarc: "pass", source: "mail.postern.test" },
  unsubscribe: null,
  invitation: null,
  blockedRemote: 0,
  truncated: false,
  parsed: true,
  parseFault: null,
  rawUrl: `/api/messages/${MESSAGE_ID}/raw`,
};

/** The beginning of the message as stored on the mail server. */
export const RAW_MESSAGE =
  "From: Sam Reed <friend@postern.test>\r\nTo: Robin Vale <demo@postern.test>\r\nSubject: Invoice 2026-014\r\n\r\n…";
