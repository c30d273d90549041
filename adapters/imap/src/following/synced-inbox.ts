import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow, MailboxObject } from "imapflow";
import { command } from "../connection/command.ts";
import { inOneWrite, type Take } from "../wire/in-one-write.ts";
import { type Shown, STATE_ITEMS, stateIn } from "../selecting/mailbox-state.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { statusTaken } from "../rows/status-taken.ts";
import { summaryItems } from "../reading/summary-items.ts";

/** Servers that announce every change by the end of a NOOP; of flags RFC 9051 (7.5.2) only recommends it. */
const ANNOUNCES_ALL = /dovecot|cyrus/i;

/** What announces a change, beside a FETCH that was not asked for. */
const ANNOUNCEMENT = /^\* (?:\d+ (?:EXISTS|EXPUNGE)|VANISHED)\b/i;

/** A session that has INBOX open. */
type InboxSession = ImapFlow & { readonly mailbox: MailboxObject };

/**
 * Whether a session has this mailbox open and hears of each change to it. It must be INBOX, which can be neither renamed
 * nor deleted: a session does not hear of that.
 */
export const hearsOf = (client: ImapFlow, path: string): client is InboxSession =>
  path === "INBOX" &&
  client.mailbox !== false &&
  client.mailbox.path === path &&
  client.enabled.has("CONDSTORE") &&
  ANNOUNCES_ALL.test(client.serverInfo?.name || "");

/**
 * Returns what a session shows of its open INBOX, with its newest messages: those up to the UID `known` with their flags
 * alone. A NOOP is the last of one write, and brings no news if the session shows the present. If it does, the result is
 * undefined, and the session shows that news from then on: Dovecot answers STATUS of an open mailbox, and FETCH, with what
 * it last told the session.
 */
export const readOpenInbox = Effect.fnUntraced(function* (
  client: InboxSession,
  timeout: number,
  newest?: { readonly count: number; readonly known?: number | undefined },
): Effect.fn.Return<Shown | undefined, MailServerError> {
  const { exists } = client.mailbox;
  const from = newest && Math.max(1, exists - newest.count + 1);
  const rows = new Map<number, FetchMessageObject>();
  let isNews = false;
  const { status, take: takeStatus } = statusTaken();
  const takeRow: Take = (payload, literals) => {
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
  const { answer, accepted } = yield* command(client, "status", timeout, () =>
    inOneWrite(client, [...fetches, "NOOP"], take, () => client.status("INBOX", STATE_ITEMS)),
  );
  if (isNews || answer === false || !accepted.every(Boolean)) return undefined;
  const state = stateIn(status);
  return state === null ? undefined : { ...state, state, rows };
});

/** Returns the commands that fetch the messages from a position on: those up to the UID `known` with their flags alone. */
export const newestFrom = (client: ImapFlow, position: number, known: number | undefined): ReadonlyArray<string> =>
  known === undefined
    ? [`FETCH ${position}:* (${summaryItems(client)})`]
    : [`FETCH ${position}:* (UID FLAGS)`, `UID FETCH ${known + 1}:* (${summaryItems(client)})`];
