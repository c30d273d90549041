import { FolderNotFound, FolderNotSelectable, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { normalizePath } from "imapflow/lib/tools.js";
import { command } from "../connection/command.ts";
import { commandFailure } from "../connection/imap-failure.ts";
import { forgetMailbox, rememberMailbox } from "../wire/selected-mailbox.ts";
import { skipListBeforeSelect } from "../wire/imapflow-internals.ts";
import { pipeline, type Take } from "../wire/in-one-write.ts";
import { refusalOf } from "../wire/refusal-of.ts";
import { writtenName } from "./status-line.ts";
import { SelectedMailbox } from "./SelectedMailbox.ts";

/** A selected mailbox, and whether the server accepted each of the commands sent with the SELECT. */
export interface SelectedWith {
  readonly mailbox: MailboxObject;
  readonly accepted: ReadonlyArray<boolean>;
}

/**
 * Selects a mailbox, even if it is open already, so that the session sees its current state. Sends further commands in
 * the same write. If the name must be sent as a literal, no further command is sent, and all further commands count as
 * not accepted.
 */
export const selectMailbox = (
  client: ImapFlow,
  path: string,
  timeout: number,
  behind: ReadonlyArray<string> = [],
  take: Take = () => false,
): Effect.Effect<SelectedWith, MailServerError | FolderNotFound | FolderNotSelectable> =>
  Effect.catch(select(client, path, timeout, behind, take), (error) =>
    error.reason === "unreachable" || error.reason === "timeout" ? error : refusalReason(client, path, timeout, error),
  );

const select = (
  client: ImapFlow,
  path: string,
  timeout: number,
  behind: ReadonlyArray<string>,
  take: Take,
): Effect.Effect<SelectedWith, MailServerError> => {
  const name = writtenName(client, path);
  if (name === undefined) {
    skipListBeforeSelect(client, path);
    return Effect.map(
      command(client, "select", timeout, () => client.mailboxOpen(path)),
      (mailbox) => ({ mailbox, accepted: behind.map(() => false) }),
    );
  }
  const reader = new SelectedMailbox(normalizePath(client as never, path));
  let mailbox: MailboxObject | undefined;
  let isEnded = false;
  const ended = (at: number, said: string): void => {
    if (at !== 0) return;
    isEnded = true;
    // The responses that follow are about the new mailbox.
    forgetMailbox(client);
    if (/^OK\b/i.test(said)) rememberMailbox(client, (mailbox = reader.selected(said)));
  };
  return Effect.flatMap(
    command(client, "select", timeout, () =>
      pipeline(
        client,
        [`SELECT ${name}`, ...behind],
        (payload, literals, at) => (isEnded ? take(payload, literals, at) : reader.take(payload)),
        ended,
      ),
    ),
    ({ accepted: [, ...accepted], refusals: [refusal] }) =>
      mailbox === undefined
        ? Effect.fail(commandFailure("select", refusalOf(refusal ?? "BAD")))
        : Effect.succeed({ mailbox, accepted }),
  );
};

/**
 * Returns the reason why SELECT was refused. Servers refuse a missing name and a name that only contains other
 * mailboxes with the same text. A server that refuses an existing mailbox may refuse all mailboxes to this session
 * (Dovecot does after a mailbox was replaced on disk), so the session is closed.
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
