import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow, MailboxObject } from "imapflow";
import { command } from "../connection/command.ts";
import { pipeline, type Take } from "../wire/in-one-write.ts";
import { type MailboxSnapshot, STATE_ITEMS, stateIn } from "../selecting/mailbox-state.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { collectStatus } from "../rows/collect-status.ts";
import { flagItems, summaryItems } from "../reading/summary-items.ts";

/**
 * Servers that announce every change by the end of a NOOP; for changes of flags, RFC 9051 (7.5.2) only recommends this.
 */
const ANNOUNCES_ALL = /dovecot|cyrus/i;

/** Lines that announce a change, besides an unsolicited FETCH. */
const ANNOUNCEMENT = /^\* (?:\d+ (?:EXISTS|EXPUNGE)|VANISHED)\b/i;

/** A session that has INBOX open. */
type InboxSession = ImapFlow & { readonly mailbox: MailboxObject };

/**
 * Returns whether a session has this mailbox open and the server announces each of its changes. False for all mailboxes
 * except INBOX: servers do not announce that an open mailbox was renamed or deleted, but INBOX can be neither renamed
 * nor deleted.
 */
export const announcesChanges = (client: ImapFlow, path: string): client is InboxSession =>
  path === "INBOX" &&
  client.mailbox !== false &&
  client.mailbox.path === path &&
  client.enabled.has("CONDSTORE") &&
  ANNOUNCES_ALL.test(client.serverInfo?.name || "");

/**
 * Returns the state of a session's open INBOX, with its newest messages (only the flags of messages up to the UID
 * `known`). The write ends with a NOOP. If the NOOP reports no changes, the state is current. Otherwise the state may
 * be old, and the result is undefined: Dovecot answers STATUS of an open mailbox, and FETCH, with the state that it
 * last reported to the session. The session is up to date from then on.
 */
export const readOpenInbox = Effect.fnUntraced(function* (
  client: InboxSession,
  timeout: number,
  newest?: { readonly count: number; readonly known?: number | undefined },
): Effect.fn.Return<MailboxSnapshot | undefined, MailServerError> {
  const { exists } = client.mailbox;
  const from = newest && Math.max(1, exists - newest.count + 1);
  const rows = new Map<number, FetchMessageObject>();
  let isNews = false;
  const { status, take: takeStatus } = collectStatus();
  const takeRow = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const row = readFetchRow(payload, literals);
    const isWhole = row === undefined ? payload.includes("ENVELOPE") : row.size !== undefined;
    const isFlags = newest?.known !== undefined && row?.uid !== undefined && row.seq >= from! && !rows.has(row.seq);
    if (row !== undefined && (isWhole || isFlags)) rows.set(row.seq, row);
    isNews ||= !isWhole && !isFlags;
    return true;
  };
  const take: Take = (payload, literals) => {
    if (isFetchRow(payload)) return takeRow(payload, literals);
    isNews ||= ANNOUNCEMENT.test(payload.toString("latin1", 0, 32));
    return takeStatus(payload, literals);
  };
  const fetches = from === undefined || exists === 0 ? [] : newestFrom(client, from, newest?.known);
  const lines = [`STATUS INBOX (${STATE_ITEMS})`, ...fetches, "NOOP"];
  const { accepted } = yield* command(client, "status", timeout, () => pipeline(client, lines, take));
  if (isNews || !accepted.every(Boolean)) return undefined;
  const state = stateIn(status);
  return state === null ? undefined : { ...state, state, rows };
});

/**
 * Returns the commands that fetch the messages from a position on. Of messages up to the UID `known` only the flags are
 * fetched.
 */
export const newestFrom = (client: ImapFlow, position: number, known: number | undefined): ReadonlyArray<string> =>
  known === undefined
    ? [`FETCH ${position}:* (${summaryItems(client)})`]
    : [`FETCH ${position}:* (${flagItems(client)})`, `UID FETCH ${known + 1}:* (${summaryItems(client)})`];
