import { FolderNotFound, FolderNotSelectable, type MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { command } from "./command.ts";
import { skipListBeforeSelect } from "./imapflow-internals.ts";

/**
 * Opens a mailbox as it is now, with all that has arrived.
 *
 * A STATUS does not bring an open mailbox up to date (Dovecot answers it from what the session last saw); NOOP does. But
 * a session goes on seeing a mailbox that was renamed or deleted, so any but INBOX, which cannot be, is selected again.
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
  skipListBeforeSelect(client, path);
  return yield* Effect.catch(
    command(client, "select", timeout, () => client.mailboxOpen(path)),
    (error) =>
      error.reason === "unreachable" || error.reason === "timeout" ? error : whyNot(client, path, timeout, error),
  );
});

/**
 * Servers say no in the same words to a name that does not exist and to one that only holds others. A session that is refused a
 * mailbox there is may be refused every one (Dovecot, after a mailbox was replaced on disk), so it is closed.
 */
const whyNot = Effect.fnUntraced(function* (client: ImapFlow, path: string, timeout: number, refusal: MailServerError) {
  if (refusal.reason === "busy") return yield* useless(client, refusal);
  const entries = yield* command(client, "list", timeout, () => client.list({ listOnly: true }));
  const entry = entries.find((listed) => listed.path === path);
  if (entry === undefined) return yield* new FolderNotFound();
  if (entry.flags.has("\\Noselect")) return yield* new FolderNotSelectable();
  return yield* refusal.reason === "not_permitted" ? refusal : useless(client, refusal);
});

const useless = (client: ImapFlow, refusal: MailServerError) =>
  Effect.suspend(() => {
    client.close();
    return refusal;
  });
