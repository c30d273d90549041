import { FolderNotFound, FolderNotSelectable, type MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { command } from "./command.ts";
import { skipListBeforeSelect } from "./imapflow-internals.ts";

/**
 * Opens a mailbox in its current state.
 *
 * STATUS does not update an open mailbox (Dovecot answers it with what the session last saw); NOOP does. But a session
 * still sees a mailbox that was renamed or deleted, so every mailbox except INBOX, which can be neither, is selected
 * again.
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
      error.reason === "unreachable" || error.reason === "timeout"
        ? error
        : refusalReason(client, path, timeout, error),
  );
});

/**
 * Finds why SELECT was refused. Servers refuse a missing name and one that only contains others with the same text. A
 * session that is refused an existing mailbox may be refused every one (Dovecot, after a mailbox was replaced on disk),
 * so it is closed.
 */
const refusalReason = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  timeout: number,
  refusal: MailServerError,
) {
  if (refusal.reason === "busy") return yield* closeAndFail(client, refusal);
  const entries = yield* command(client, "list", timeout, () => client.list({ listOnly: true }));
  const entry = entries.find((listed) => listed.path === path);
  if (entry === undefined) return yield* new FolderNotFound();
  if (entry.flags.has("\\Noselect")) return yield* new FolderNotSelectable();
  return yield* refusal.reason === "not_permitted" ? refusal : closeAndFail(client, refusal);
});

const closeAndFail = (client: ImapFlow, refusal: MailServerError) =>
  Effect.suspend(() => {
    client.close();
    return refusal;
  });
