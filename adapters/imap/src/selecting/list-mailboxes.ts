import { type ListedMailbox, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, ListResponse } from "imapflow";
import { hasCapability } from "imapflow/lib/tools.js";
import { command } from "../connection/command.ts";
import { connectionLoss } from "../connection/imap-failure.ts";
import { isAlive, mailboxIdsOf, prefixOf, withResponses } from "../wire/imapflow-internals.ts";
import { listedMailboxes } from "./listed-mailboxes.ts";
import { inOneWrite } from "../wire/in-one-write.ts";
import { isCyrus } from "../wire/is-cyrus.ts";
import { isListed } from "../rows/list-row.ts";
import { ListingRows } from "../rows/ListingRows.ts";
import { statusOfEach } from "./status-of-each.ts";

/** The character that begins an untagged response. */
const ASTERISK = 0x2a;

const QUERY = { statusQuery: { messages: true, unseen: true, uidValidity: true, uidNext: true } };
const ITEMS = "MESSAGES UNSEEN UIDVALIDITY UIDNEXT";

/** Returns every mailbox with its counts, by LIST-STATUS if the server has it (spec 4). */
export const listMailboxes = (client: ImapFlow, timeout: number) =>
  // Without this option, imapflow would fetch the counts of one mailbox after the other.
  listedBy(client, timeout, (rows) =>
    withResponses(client, rows.take, () => client.list(countsByList(client) ? QUERY : {})),
  );

const countsByList = (client: ImapFlow): boolean => hasCapability(client as never, "LIST-STATUS");

/**
 * Lists the mailboxes in one round trip while INBOX is open. Dovecot counts an open INBOX as the session last saw it,
 * so a NOOP is sent with the LIST. If the NOOP reports no changes, the counts are current, whichever command the server
 * ran first (Dovecot runs LIST first). Otherwise the counts may be stale, and the function returns undefined.
 */
export const listInOpenInbox = Effect.fnUntraced(function* (client: ImapFlow, timeout: number) {
  const isOpen = client.mailbox !== false && client.mailbox.path === "INBOX";
  if (!isOpen || !client.capabilities.has("LIST-STATUS")) return undefined;
  let isCurrent = false;
  const listed = yield* listedBy(client, timeout, async (rows) => {
    let news = false;
    const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
      if (rows.take(payload, literals)) return true;
      news ||= payload[0] === ASTERISK && !isListed(payload);
      return false;
    };
    const { answer, accepted } = await inOneWrite(client, ["NOOP"], take, () => client.list(QUERY));
    isCurrent = accepted.at(-1)! && !news;
    return answer;
  });
  return isCurrent ? listed : undefined;
});

const listedBy = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
  list: (rows: ListingRows) => Promise<ReadonlyArray<ListResponse>>,
): Effect.fn.Return<ReadonlyArray<ListedMailbox>, MailServerError> {
  const hasIds = client.capabilities.has("OBJECTID");
  const isCounted = countsByList(client);
  // Cyrus 3.6.1 answers MAILBOXID in LIST-STATUS with uninitialized memory.
  const idsByList = hasIds && isCounted && !isCyrus(client) ? mailboxIdsOf(client) : NO_IDS;
  const rows = new ListingRows(client);
  const made = yield* command(client, "list", timeout, () => list(rows));
  // When imapflow fetches counts one by one, a lost connection looks like a mailbox without counts.
  if (!isAlive(client)) return yield* connectionLoss("list");
  const entries = rows.entries(made);
  // imapflow leaves out rows that it cannot read. INBOX always exists.
  if (!entries.some(({ path }) => path === "INBOX")) return yield* inboxMissing();
  const prefix = (path: string) => prefixOf(client, path);
  // A server may omit the counts of a mailbox that it temporarily cannot open (RFC 5819, 2).
  const selectable = entries.filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent"));
  const uncounted = new Set(selectable.filter(({ status }) => status?.uidValidity === undefined));
  const open = hasIds && idsByList === NO_IDS ? selectable : [...uncounted];
  if (open.length === 0) return listedMailboxes(entries, idsByList, prefix);
  const values = yield* statusOfEach(
    client,
    open.map(({ path }) => path),
    [...(uncounted.size > 0 ? [ITEMS] : []), ...(hasIds ? ["MAILBOXID"] : [])].join(" "),
    timeout,
  );
  const ids = new Map(idsByList);
  for (const entry of open) {
    const { mailboxId, ...counts } = values.get(entry.path) ?? {};
    if (mailboxId !== undefined) ids.set(entry.pathAsListed, mailboxId);
    if (uncounted.has(entry)) entry.status = { path: entry.path, ...counts };
  }
  const closed = new Set(open.filter(({ status }) => status?.uidValidity === undefined));
  // A mailbox without a status may have been renamed since the first row, so only a later listing shows a single
  // moment.
  const known = closedPaths.get(client) ?? new Set();
  if ([...closed].every(({ path }) => known.has(path))) return listedMailboxes(entries, ids, prefix, closed);
  closedPaths.set(client, new Set([...closed].map(({ path }) => path)));
  return yield* listedBy(client, timeout, list);
});

/** The mailboxes whose status a session refused at the last listing, by path. */
const closedPaths = new WeakMap<ImapFlow, ReadonlySet<string>>();

const NO_IDS: ReadonlyMap<string, string> = new Map();

/**
 * Returns whether a listing lacks `expected` paths and may be wrong: after another session renamed a mailbox, Dovecot 2.3
 * may report a corrupted index of mailboxes in a session with NOTIFY. Sessions that opened the old index then list only a
 * few mailboxes, without the renamed one. A session that is opened afterwards lists all.
 */
export const isDoubtful = (
  client: ImapFlow,
  listed: ReadonlyArray<ListedMailbox>,
  expected: ReadonlyArray<string>,
): boolean => {
  const paths = new Set(listed.map(({ path }) => path));
  return client.capabilities.has("NOTIFY") && expected.some((path) => !paths.has(path));
};

/**
 * Returns whether the server refused to list its mailboxes. Lark refuses the second LIST of a session, but never the
 * first.
 */
export const isListRefused = ({ reason, operation }: MailServerError): boolean =>
  reason === "protocol" && operation === "list";

export const inboxMissing = () =>
  new MailServerError({ reason: "protocol", operation: "select", detail: "there is no INBOX" });
