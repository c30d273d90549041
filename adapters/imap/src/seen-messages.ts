import type { MailServerError } from "@postern/core/mail";
import type { Fingerprint, MailboxSlice, SeenMessage } from "@postern/core/watch";
import { Effect } from "effect";
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { connectionLost } from "./imap-failure.ts";
import { fetchRows } from "./rows/fetch-rows.ts";
import { searchUids } from "./search-uids.ts";

/** Messages in a slice: few, so that their short-lived objects do not make the heap grow. */
const AT_ONCE = 250;

/**
 * Fetches the fingerprints and flags of messages, and nothing else, because a mailbox may hold hundreds of thousands.
 */
export const fetchSeen = (client: ImapFlow, range: string, timeout: number) =>
  Effect.map(
    command(client, "fetch", timeout, () => fetchRows(client, range, queryFor(client), { uid: true })),
    // Dovecot answers for an expunged message with a size of 0; a row without a size holds unsolicited flags.
    (rows) => (rows ?? []).flatMap((row) => (row.uid && row.size ? [seenOf(row)] : [])),
  );

/** imapflow adds EMAILID (RFC 8474), or Gmail's X-GM-MSGID, where the server has it. */
const queryFor = ({ capabilities }: ImapFlow): FetchQueryObject => ({
  uid: true,
  flags: true,
  internalDate: true,
  size: true,
  ...(capabilities.has("OBJECTID") || capabilities.has("X-GM-EXT-1") ? {} : { headers: ["Message-ID"] }),
});

const seenOf = ({ uid, emailId, headers, size = 0, internalDate, flags }: FetchMessageObject): SeenMessage => {
  const at = new Date(internalDate ?? 0).getTime();
  return {
    uid,
    emailId: emailId ?? null,
    messageId: messageIdOf(headers?.toString("utf8").replace(/^[^:]*:/, "")),
    size,
    arrivedAt: Number.isNaN(at) ? 0 : at,
    unread: flags?.has("\\Seen") !== true,
    flagged: flags?.has("\\Flagged") === true,
    answered: flags?.has("\\Answered") === true,
  };
};

/** Returns the message id in the value of a Message-ID field, the same for a header field and an ENVELOPE. */
export const messageIdOf = (value: string | null | undefined): Fingerprint["messageId"] => {
  const text = value?.replaceAll(/\s+/g, " ").trim() ?? "";
  return /<[^<>]*>/.exec(text)?.[0] ?? (text || null);
};

/**
 * Returns a reader of the open mailbox in slices, newest first. It searches the UIDs once and keeps them until the last
 * slice.
 */
export const seenSlices = (client: ImapFlow, timeout: number) => {
  let known: { readonly uidValidity: number; readonly below: number; readonly uids: Uint32Array } | undefined;
  return Effect.fnUntraced(function* (below: number): Effect.fn.Return<MailboxSlice, MailServerError> {
    if (client.mailbox === false) return yield* connectionLost("fetch", "no mailbox is selected");
    const uidValidity = Number(client.mailbox.uidValidity);
    if (known === undefined || known.uidValidity !== uidValidity || known.below < below) {
      const uids = below > 1 ? yield* searchUids(client, `1:${below - 1}`, timeout) : [];
      known = { uidValidity, below, uids: Uint32Array.from(uids) };
    }
    const { uids } = known;
    let end = uids.length;
    while (end > 0 && uids[end - 1]! >= below) end--;
    known = { uidValidity, below, uids: uids.subarray(0, end) };
    const start = Math.max(0, end - AT_ONCE);
    if (start === 0) known = undefined;
    if (end === 0) return { uidValidity, from: 1, messages: [] };
    const messages = yield* fetchSeen(client, `${uids[start]}:${uids[end - 1]}`, timeout);
    return { uidValidity, from: start === 0 ? 1 : uids[start]!, messages };
  });
};
