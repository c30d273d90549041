import type { MailboxCursor, MailServerError } from "@postern/core/mail";
import type { InboxPoll, MessageFlags } from "@postern/core/watch";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { arrivedMessages } from "./arrived-messages.ts";
import { command } from "./command.ts";
import { inboxStatus } from "./inbox-status.ts";
import { searchUids } from "./search-uids.ts";

/**
 * Returns the changes in an open INBOX since `since`. The cursor is read first, so the next poll returns changes made
 * during this one again; they count once.
 */
export const pollInbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  since: MailboxCursor | null,
  timeout: number,
): Effect.fn.Return<InboxPoll, MailServerError> {
  const cursor = yield* inboxStatus(client, timeout);
  if (client.mailbox === false || Number(client.mailbox.uidValidity) !== cursor.uidValidity) {
    yield* command(client, "select", timeout, () => client.mailboxOpen("INBOX", { readOnly: true }));
  }
  if (since === null || since.uidValidity !== cursor.uidValidity) {
    return { cursor, arrived: [], vanished: [], flags: [] };
  }

  const uids = cursor.uidNext > since.uidNext ? yield* newUids(client, since, cursor, timeout) : [];
  const next = uids[MOST_ARRIVALS];
  const arrived = yield* arrivedMessages(client, uids.slice(0, MOST_ARRIVALS), timeout);
  const come = next === undefined ? { cursor, arrived } : { cursor: { ...cursor, uidNext: next }, arrived, more: true };
  if (knowsChanges(client, since, cursor)) {
    if (cursor.highestModSeq === since.highestModSeq) return { ...come, vanished: [], flags: [] };
    return { ...come, ...(yield* changesSince(client, since.highestModSeq, timeout)) };
  }
  const flags = yield* fetchFlags(client, undefined, timeout);
  return { ...come, present: flags.map(({ uid }) => uid), flags };
});

/** Maximum number of arrivals in one poll: each is described in full, and all are announced in one transaction. */
const MOST_ARRIVALS = 500;

/** Up to this number, UIDs are fetched without a SEARCH first. */
const FEW = 100;

const newUids = (client: ImapFlow, since: MailboxCursor, { uidNext }: MailboxCursor, timeout: number) =>
  uidNext - since.uidNext <= FEW
    ? Effect.succeed(Array.from({ length: uidNext - since.uidNext }, (_, n) => since.uidNext + n))
    : searchUids(client, `${since.uidNext}:*`, timeout);

/** Whether the server reports changes by QRESYNC (RFC 7162), and has not restarted its modification sequence. */
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
  const flags = yield* Effect.ensuring(
    fetchFlags(client, modSeq, timeout),
    Effect.sync(() => client.off("expunge", note as never)),
  );
  return { vanished, flags };
});

/** Reads row by row, because without `changedSince` the rows cover the whole mailbox. */
const fetchFlags = (client: ImapFlow, changedSince: number | undefined, timeout: number) =>
  command(client, "fetch", timeout, async () => {
    const found: Array<ReturnType<typeof flagsOf>> = [];
    const options = { uid: true, ...(changedSince === undefined ? {} : { changedSince: BigInt(changedSince) }) };
    for await (const row of client.fetch("1:*", { uid: true, flags: true }, options)) {
      if (row.uid > 0 && row.flags !== undefined) found.push(flagsOf(row));
    }
    return found;
  });

const flagsOf = ({ uid, flags }: FetchMessageObject): MessageFlags & { readonly uid: number } => ({
  uid,
  unread: flags?.has("\\Seen") !== true,
  flagged: flags?.has("\\Flagged") === true,
  answered: flags?.has("\\Answered") === true,
});
