import type { MailboxCursor, MailServerError } from "@postern/core/mail";
import type { InboxLook, MessageFlags } from "@postern/core/watch";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { arrivedMessages } from "./arrived-messages.ts";
import { command } from "./command.ts";
import { commandFailure } from "./imap-failure.ts";
import { inboxStatus } from "./inbox-status.ts";

/**
 * What an open INBOX has that is other than at `since`. The cursor is read first: what changes during the look is in the
 * next one again, and counts once.
 */
export const inboxLook = Effect.fnUntraced(function* (
  client: ImapFlow,
  since: MailboxCursor | null,
  timeout: number,
): Effect.fn.Return<InboxLook, MailServerError> {
  const cursor = yield* inboxStatus(client, timeout);
  if (client.mailbox === false || Number(client.mailbox.uidValidity) !== cursor.uidValidity) {
    yield* command(client, "select", timeout, () => client.mailboxOpen("INBOX", { readOnly: true }));
  }
  if (since === null || since.uidValidity !== cursor.uidValidity) {
    const uids = yield* searchUids(client, "1:*", timeout);
    return { cursor, arrived: yield* arrivedMessages(client, uids, timeout), vanished: [], flags: [] };
  }

  const arrivedUids = cursor.uidNext > since.uidNext ? yield* newUids(client, since, cursor, timeout) : [];
  const arrived = yield* arrivedMessages(client, arrivedUids, timeout);
  if (knowsChanges(client, since, cursor)) {
    if (cursor.highestModSeq === since.highestModSeq) return { cursor, arrived, vanished: [], flags: [] };
    return { cursor, arrived, ...(yield* changesSince(client, since.highestModSeq, timeout)) };
  }
  const rows = yield* fetchFlags(client, undefined, timeout);
  return { cursor, arrived, present: rows.map(({ uid }) => uid), flags: rows.map(flagsOf) };
});

/** Few are asked for by number, which is one question less. */
const FEW = 100;

const newUids = (client: ImapFlow, since: MailboxCursor, { uidNext }: MailboxCursor, timeout: number) =>
  uidNext - since.uidNext <= FEW
    ? Effect.succeed(Array.from({ length: uidNext - since.uidNext }, (_, n) => since.uidNext + n))
    : searchUids(client, `${since.uidNext}:*`, timeout);

/** Ascending; `n:*` means the last message where none is that high. */
export const searchUids = Effect.fnUntraced(function* (client: ImapFlow, range: string, timeout: number) {
  const found = yield* command(client, "search", timeout, () => client.search({ uid: range }, { uid: true }));
  if (!Array.isArray(found)) return yield* commandFailure("search", new Error("the server refused to say"));
  return found.toSorted((one, other) => one - other);
});

/** By QRESYNC (RFC 7162), and as long as the server's count did not begin anew. */
const knowsChanges = (
  client: ImapFlow,
  since: MailboxCursor,
  now: MailboxCursor,
): since is MailboxCursor & { highestModSeq: number } =>
  client.enabled.has("QRESYNC") &&
  since.highestModSeq !== null &&
  now.highestModSeq !== null &&
  now.highestModSeq >= since.highestModSeq;

const changesSince = Effect.fnUntraced(function* (client: ImapFlow, modSeq: number, timeout: number) {
  const vanished: Array<number> = [];
  const note = ({ uid }: { readonly uid?: number }) => void (uid !== undefined && vanished.push(uid));
  client.on("expunge", note as never);
  const rows = yield* Effect.ensuring(
    fetchFlags(client, modSeq, timeout),
    Effect.sync(() => client.off("expunge", note as never)),
  );
  return { vanished, flags: rows.map(flagsOf) };
});

const fetchFlags = (client: ImapFlow, changedSince: number | undefined, timeout: number) =>
  Effect.map(
    command(client, "fetch", timeout, () =>
      client.fetchAll(
        "1:*",
        { uid: true, flags: true },
        { uid: true, ...(changedSince === undefined ? {} : { changedSince: BigInt(changedSince) }) },
      ),
    ),
    (rows) => rows.filter(({ uid, flags }) => uid > 0 && flags !== undefined),
  );

const flagsOf = ({ uid, flags }: FetchMessageObject): MessageFlags & { readonly uid: number } => ({
  uid,
  unread: flags?.has("\\Seen") !== true,
  flagged: flags?.has("\\Flagged") === true,
  answered: flags?.has("\\Answered") === true,
});
