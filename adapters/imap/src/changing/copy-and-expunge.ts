import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { command } from "../connection/command.ts";
import { type ArrivedAt, copiedUids, nameArgument, uidsArgument } from "../connection/execute.ts";
import { expungeUids } from "./expunge.ts";
import { identitiesOf } from "../reading/message-identities.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { checkPermitted } from "./check-permitted.ts";
import { uidSet } from "../wire/uid-set.ts";

/**
 * Moves messages without MOVE (spec 4): copies them, then removes the originals, so that each message is always in at
 * least one mailbox. Messages in the destination from UID `copiedFrom` on may be copies of an interrupted attempt.
 * Returns the new locations of the copied messages, if the server reports these locations.
 */
export const copyAndExpunge = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  to: string,
  copiedFrom: number,
  timeout: number,
): Effect.fn.Return<ReadonlyMap<number, ArrivedAt>, MailServerError> {
  // The right to delete is checked first; otherwise the copies would remain next to originals that cannot be removed.
  yield* checkPermitted(client, "move", ["\\Deleted"]);
  const copied = yield* uidNextOf(client, to, timeout);
  const missing = copied > copiedFrom ? yield* withoutCopies(client, uids, to, copiedFrom, timeout) : uids;
  const arrived =
    missing.length === 0
      ? new Map<number, ArrivedAt>()
      : yield* copiedUids(client, "UID COPY", timeout, uidsArgument(uidSet(missing)), nameArgument(client, to));
  yield* expungeUids(client, uids, timeout);
  return arrived;
});

/** Returns the messages without a copy in the destination; two messages with the same identity need two copies. */
const withoutCopies = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  to: string,
  copiedFrom: number,
  timeout: number,
) {
  const source = client.mailbox as MailboxObject;
  const messages = yield* identitiesOf(client, uidSet(uids), timeout);
  yield* reopen(client, to, timeout);
  const copies = yield* identitiesOf(client, `${copiedFrom}:*`, timeout);
  yield* reopen(client, source.path, timeout);
  if (client.mailbox === false || client.mailbox.uidValidity !== source.uidValidity) {
    return yield* refusalError("the mailbox was recreated while messages were copied");
  }
  const counts = new Map<string, number>();
  for (const { uid, identity } of copies) if (uid >= copiedFrom) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  return messages.flatMap(({ uid, identity }) => {
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count - 1);
    return count > 0 ? [] : [uid];
  });
});

/** Returns the UIDNEXT of a mailbox that is not open. */
export const uidNextOf = Effect.fnUntraced(function* (client: ImapFlow, path: string, timeout: number) {
  const status = yield* command(client, "status", timeout, () => client.status(path, { uidNext: true }));
  if (status === false || status.uidNext === undefined) return yield* refusalError(`no UIDNEXT of ${path}`);
  return status.uidNext;
});

export const reopen = (client: ImapFlow, path: string, timeout: number) =>
  openMailbox(client, path, timeout).pipe(
    Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => refusalError(`${path} cannot be opened`)),
  );

const refusalError = (detail: string) => new MailServerError({ reason: "protocol", operation: "copy", detail });
