import type { MailServerError } from "@postern/core/mail";
import type { Fingerprint, MailboxSlice, SeenMessage } from "@postern/core/watch";
import { Effect } from "effect";
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { connectionLost } from "./imap-failure.ts";
import { fetchRows } from "./rows/fetch-rows.ts";
import { searchUids } from "./search-uids.ts";

/** Messages in a slice: few, so that what is read of them does not live long enough to make the heap grow. */
const AT_ONCE = 250;

/** What tells a message from others, and its flags: no more, for a mailbox may hold hundreds of thousands. */
export const fetchSeen = (client: ImapFlow, range: string, timeout: number) =>
  Effect.map(
    command(client, "fetch", timeout, () => fetchRows(client, range, queryFor(client), { uid: true })),
    // Dovecot answers for what was expunged with a size of 0; a row without one is flags that were sent unasked.
    (rows) => (rows ?? []).flatMap((row) => (row.uid && row.size ? [seenOf(row)] : [])),
  );

/** imapflow asks for EMAILID (RFC 8474), and Gmail's X-GM-MSGID, wherever there is one. */
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

/** The message id in the value of a Message-ID field, the same whether the field or an ENVELOPE says it. */
export const messageIdOf = (value: string | null | undefined): Fingerprint["messageId"] => {
  const text = value?.replaceAll(/\s+/g, " ").trim() ?? "";
  return /<[^<>]*>/.exec(text)?.[0] ?? (text || null);
};

/** The slices of the open mailbox, newest first. Its UIDs are asked for once and kept until the last slice. */
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
