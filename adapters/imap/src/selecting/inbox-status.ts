import { type MailboxCursor, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { takeFirstStatus } from "../connection/after-sign-in.ts";
import { command } from "../connection/command.ts";

const QUERY = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };

/** The state of INBOX at one moment. */
export interface InboxStatus {
  readonly cursor: MailboxCursor;
  /** The number of messages. */
  readonly messages: number;
}

/** Returns the state of INBOX by STATUS. For an open INBOX, this is the state that the session last saw. */
export const inboxStatus = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
): Effect.fn.Return<InboxStatus, MailServerError> {
  const status =
    takeFirstStatus(client) ?? (yield* command(client, "status", timeout, () => client.status("INBOX", QUERY)));
  if (status === false || status.uidValidity === undefined) return yield* noStatus("INBOX has no status");
  const uidNext = status.uidNext ?? (yield* uidNextOfInbox(client, timeout));
  // A mailbox without modification sequences may report 0 (RFC 7162, 3.1.2.2).
  const highestModSeq = Number(status.highestModseq ?? 0) || null;
  return {
    cursor: { uidValidity: Number(status.uidValidity), uidNext, highestModSeq },
    messages: status.messages ?? 0,
  };
});

/** Returns the cursor of INBOX. */
export const inboxCursor = (client: ImapFlow, timeout: number): Effect.Effect<MailboxCursor, MailServerError> =>
  Effect.map(inboxStatus(client, timeout), ({ cursor }) => cursor);

/** Returns a lower bound of UIDNEXT above every message, for a server whose STATUS lacks it (163.com). */
const uidNextOfInbox = Effect.fnUntraced(function* (client: ImapFlow, timeout: number) {
  const open = client.mailbox !== false && client.mailbox.path === "INBOX" ? client.mailbox : undefined;
  const inbox = open ?? (yield* command(client, "select", timeout, () => client.mailboxOpen("INBOX")));
  const announced = inbox.uidNext ?? 1;
  if (inbox.exists === 0) return announced;
  const last = yield* command(client, "fetch", timeout, () => client.fetchOne("*", { uid: true }));
  return last === false ? announced : Math.max(announced, last.uid + 1);
});

const noStatus = (detail: string) => new MailServerError({ reason: "protocol", operation: "status", detail });
