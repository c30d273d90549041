import { type MailboxCursor, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { takeFirstStatus } from "../connection/after-sign-in.ts";
import { command } from "../connection/command.ts";

const QUERY = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };

/** The state of a mailbox at one moment. */
export interface MailboxStatus {
  readonly cursor: MailboxCursor;
  /** The number of messages. */
  readonly messages: number;
}

/** Returns the state of an open mailbox as the session last saw it, or of INBOX by STATUS. */
export const mailboxStatus = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  timeout: number,
): Effect.fn.Return<MailboxStatus, MailServerError> {
  const first = path === "INBOX" ? takeFirstStatus(client) : undefined;
  const status = first ?? (yield* command(client, "status", timeout, () => client.status(path, QUERY)));
  if (status === false || status.uidValidity === undefined) return yield* noStatus("a mailbox has no status");
  const uidNext = status.uidNext ?? (yield* uidNextOf(client, path, timeout));
  // A mailbox without modification sequences may report 0 (RFC 7162, 3.1.2.2).
  const highestModSeq = Number(status.highestModseq ?? 0) || null;
  return {
    cursor: { uidValidity: Number(status.uidValidity), uidNext, highestModSeq },
    messages: status.messages ?? 0,
  };
});

/** Returns the cursor of INBOX. */
export const inboxCursor = (client: ImapFlow, timeout: number): Effect.Effect<MailboxCursor, MailServerError> =>
  Effect.map(mailboxStatus(client, "INBOX", timeout), ({ cursor }) => cursor);

/** Returns a lower bound of UIDNEXT above every message, for a server whose STATUS lacks it (163.com). */
export const uidNextOf = Effect.fnUntraced(function* (client: ImapFlow, path: string, timeout: number) {
  const open = client.mailbox !== false && client.mailbox.path === path ? client.mailbox : undefined;
  const mailbox = open ?? (yield* command(client, "select", timeout, () => client.mailboxOpen(path)));
  const announced = mailbox.uidNext ?? 1;
  if (mailbox.exists === 0) return announced;
  const last = yield* command(client, "fetch", timeout, () => client.fetchOne("*", { uid: true }));
  return last === false ? announced : Math.max(announced, last.uid + 1);
});

const noStatus = (detail: string) => new MailServerError({ reason: "protocol", operation: "status", detail });
