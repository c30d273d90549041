import { FolderNotFound, FolderNotSelectable, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { command } from "../connection/command.ts";
import { skipListBeforeSelect } from "../wire/imapflow-internals.ts";

/** Selects a mailbox, even an open one, so that the session sees its current state; `select` may send more in the same write. */
export const selectMailbox = <A = MailboxObject>(
  client: ImapFlow,
  path: string,
  timeout: number,
  select: () => Promise<A> = () => client.mailboxOpen(path) as Promise<unknown> as Promise<A>,
): Effect.Effect<A, MailServerError | FolderNotFound | FolderNotSelectable> => {
  skipListBeforeSelect(client, path);
  return Effect.catch(command(client, "select", timeout, select), (error) =>
    error.reason === "unreachable" || error.reason === "timeout" ? error : refusalReason(client, path, timeout, error),
  );
};

/**
 * Finds why SELECT was refused. Servers refuse a missing name, and a name that only contains other mailboxes, with the
 * same text. If a server refuses an existing mailbox, it may refuse all mailboxes to this session (Dovecot does after a
 * mailbox was replaced on disk), so the session is closed.
 */
export const refusalReason = Effect.fnUntraced(function* (
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
