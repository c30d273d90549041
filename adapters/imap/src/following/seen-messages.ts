import { type MailServerError, MAX_SHOWN_CHARS } from "@postern/core/mail";
import type { Fingerprint, MailboxSlice, SeenMessage } from "@postern/core/watch";
import { Effect } from "effect";
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { flagsOf } from "../reading/message-summary.ts";
import { connectionLoss } from "../connection/imap-failure.ts";
import { fetchEachRow } from "../rows/fetch-rows.ts";
import { searchUids } from "../reading/search-uids.ts";

/** The number of messages in a slice, kept small so that their short-lived objects do not make the heap grow. */
const AT_ONCE = 250;

/**
 * Fetches the fingerprints and flags of messages, and nothing else, because a mailbox may have hundreds of thousands of
 * messages. `seen` gets the results.
 */
export const fetchSeen = (client: ImapFlow, range: string, timeout: number, seen: Array<SeenMessage> = []) => {
  const keep = (row: FetchMessageObject) => {
    const message = seenMessage(row);
    if (message !== undefined) seen.push(message);
  };
  return Effect.as(
    command(client, "fetch", timeout, () => fetchEachRow(client, range, queryFor(client), { uid: true }, keep)),
    seen,
  );
};

/** Returns the same FETCH for these UIDs as a command without its tag. */
export const seenLine = ({ capabilities }: ImapFlow, set: string): string => {
  const id = capabilities.has("OBJECTID")
    ? "EMAILID"
    : capabilities.has("X-GM-EXT-1")
      ? "X-GM-MSGID X-GM-LABELS"
      : "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]";
  return `UID FETCH ${set} (UID FLAGS INTERNALDATE RFC822.SIZE ${id})`;
};

/**
 * Returns a message by its row; undefined for a row without a size, because such a row has only unsolicited flags or
 * belongs to a removed message.
 */
export const seenMessage = (row: FetchMessageObject): SeenMessage | undefined =>
  row.uid && row.size ? new Seen(row) : undefined;

/** imapflow adds EMAILID (RFC 8474), or Gmail's X-GM-MSGID, if the server has it. */
const queryFor = ({ capabilities }: ImapFlow): FetchQueryObject => ({
  uid: true,
  flags: true,
  labels: true,
  internalDate: true,
  size: true,
  ...(capabilities.has("OBJECTID") || capabilities.has("X-GM-EXT-1") ? {} : { headers: ["Message-ID"] }),
});

/** A message as its row describes it. Like the row, it is not an object literal. */
class Seen implements SeenMessage {
  readonly uid: number;
  readonly emailId: string | null;
  readonly messageId: string | null;
  readonly size: number;
  readonly arrivedAt: number;
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly answered: boolean;
  readonly labels: ReadonlyArray<string>;

  constructor(row: FetchMessageObject) {
    const { uid, emailId, headers, size = 0, internalDate } = row;
    const { unread, flagged, answered, labels } = flagsOf(row);
    const at = new Date(internalDate ?? 0).getTime();
    this.uid = uid;
    this.emailId = emailId ?? null;
    this.messageId = messageIdOf(headers?.toString("utf8").replace(/^[^:]*:/, ""));
    this.size = size;
    this.arrivedAt = Number.isNaN(at) ? 0 : at;
    this.unread = unread;
    this.flagged = flagged;
    this.answered = answered;
    this.labels = labels;
  }
}

/** Returns the message id in the value of a Message-ID field, in the same form for a header field and an ENVELOPE. */
export const messageIdOf = (value: string | null | undefined): Fingerprint["messageId"] => {
  const text = value?.replaceAll(/\s+/g, " ").trim() ?? "";
  const id = /<[^<>]*>/.exec(text)?.[0] ?? text;
  return id === "" || id.length > MAX_SHOWN_CHARS ? null : id;
};

/**
 * Returns a reader of the open mailbox in slices, newest first. The reader searches the UIDs once and keeps the UIDs
 * until the last slice. All slices use one array. New arrays would stay in memory until a full garbage collection if an
 * old object refers to them.
 */
export const seenSlices = (client: ImapFlow, timeout: number) => {
  let known: { readonly uidValidity: number; readonly below: number; readonly uids: Uint32Array } | undefined;
  const messages: Array<SeenMessage> = [];
  return Effect.fnUntraced(function* (below: number): Effect.fn.Return<MailboxSlice, MailServerError> {
    messages.length = 0;
    if (client.mailbox === false) return yield* connectionLoss("fetch", "no mailbox is selected");
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
    if (end > 0) yield* fetchSeen(client, `${uids[start]}:${uids[end - 1]}`, timeout, messages);
    return { uidValidity, from: start === 0 ? 1 : uids[start]!, messages };
  });
};
