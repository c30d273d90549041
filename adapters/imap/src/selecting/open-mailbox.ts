import type { FolderNotFound, FolderNotSelectable, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { command } from "../connection/command.ts";
import { selectMailbox } from "./select-mailbox.ts";

/**
 * Opens a mailbox in its current state. NOOP updates an open mailbox; STATUS does not, because Dovecot answers with the
 * state that the session last saw. A session cannot notice that its mailbox was renamed or deleted, so every mailbox is
 * selected again, except INBOX, which cannot be renamed or deleted.
 */
export const openMailbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  timeout: number,
): Effect.fn.Return<MailboxObject, MailServerError | FolderNotFound | FolderNotSelectable> {
  if (client.mailbox !== false && client.mailbox.path === "INBOX" && path.toUpperCase() === "INBOX") {
    const { uidValidity } = client.mailbox;
    yield* command(client, "noop", timeout, () => client.noop());
    const mailbox = client.mailbox as MailboxObject | false;
    if (mailbox !== false && mailbox.uidValidity === uidValidity) return mailbox;
  }
  return (yield* selectMailbox(client, path, timeout)).mailbox;
});

/** Returns whether a session has INBOX open with the UIDVALIDITY of a message's UID. */
export const isOpenInbox = ({ mailbox }: ImapFlow, path: string, uidValidity: number): boolean =>
  path === "INBOX" && mailbox !== false && mailbox.path === path && Number(mailbox.uidValidity) === uidValidity;
