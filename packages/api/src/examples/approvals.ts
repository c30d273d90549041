import { DRAFT_ID } from "./drafts.ts";
import { KEY_ID } from "./keys.ts";
import { MESSAGE_ID } from "./mail.ts";

export const APPROVAL_ID = "apr_6Ja34Dr7XnZ1G-uuezwBXw";

export const APPROVAL = {
  id: APPROVAL_ID,
  state: "pending",
  draftId: DRAFT_ID,
  version: "3",
  by: { key: KEY_ID, name: "Assistant" },
  recipients: [{ address: "friend@example.com", known: false }],
  subject: "Lunch on Friday?",
  preview: "Shall we meet at noon?",
  files: [{ name: "menu.pdf", type: "application/pdf", size: 20480 }],
  createdAt: "2026-03-02T09:30:00.000Z",
  expiresAt: "2026-03-09T09:30:00.000Z",
  decidedAt: null,
  reason: null,
};

export const APPROVAL_WITH_CALLS = {
  ...APPROVAL,
  calls: [
    {
      createdAt: "2026-03-02T09:29:50.000Z",
      operation: "mcp.read_message",
      ids: [MESSAGE_ID],
      outcome: "done",
    },
  ],
};
