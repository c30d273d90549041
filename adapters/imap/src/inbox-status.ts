import { type MailboxCursor, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";

const QUERY = { uidNext: true, uidValidity: true, highestModseq: true };

/** Returns the cursor of INBOX by STATUS; of an open INBOX, as the session last saw it. */
export const inboxStatus = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
): Effect.fn.Return<MailboxCursor, MailServerError> {
  const status = yield* command(client, "status", timeout, () => client.status("INBOX", QUERY));
  if (status === false || status.uidValidity === undefined || status.uidNext === undefined) {
    return yield* new MailServerError({ reason: "protocol", operation: "status", detail: "INBOX has no status" });
  }
  // A mailbox without modification sequences may report 0 (RFC 7162, 3.1.2.2).
  const highestModSeq = Number(status.highestModseq ?? 0) || null;
  return { uidValidity: Number(status.uidValidity), uidNext: status.uidNext, highestModSeq };
});
