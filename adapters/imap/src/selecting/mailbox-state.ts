import { type FolderNotFound, type FolderNotSelectable, MailServerError } from "@postern/core/mail";
import type { MailboxState } from "@postern/core/messages";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { pipeline, type Take } from "../wire/in-one-write.ts";
import { forgetMailbox } from "../wire/selected-mailbox.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { collectStatus } from "../rows/collect-status.ts";
import { selectMailbox } from "./select-mailbox.ts";
import { statusLine } from "./status-line.ts";

/** The values of a STATUS response by name. */
type Status = Readonly<Record<string, unknown>>;

/** The counts, state and fetched messages of a mailbox at one moment. */
export interface MailboxSnapshot {
  readonly uidValidity: number;
  readonly total: number;
  readonly unread: number;
  /** Its state; null if the server has no modification sequences for it. */
  readonly state: MailboxState | null;
  /** The messages fetched by the same write, by position. */
  readonly rows: ReadonlyMap<number, FetchMessageObject>;
}

/**
 * Selects a mailbox, fetches messages and counts the unread ones, in one write. The STATUS comes last, because a server may
 * renumber messages while it answers STATUS, but not during a FETCH.
 */
export const selectAndCount = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  timeout: number,
  fetches: ReadonlyArray<string>,
): Effect.fn.Return<MailboxSnapshot, MailServerError | FolderNotFound | FolderNotSelectable> {
  const rows = new Map<number, FetchMessageObject>();
  const takeRow: Take = (payload, literals) => {
    if (!isFetchRow(payload)) return false;
    const row = readFetchRow(payload, literals);
    if (row?.uid && row.flags) rows.set(row.seq, row);
    return true;
  };
  const { status, take } = collectStatus();
  const { mailbox, accepted } = yield* selectMailbox(
    client,
    path,
    timeout,
    [...fetches, statusLine(client, path, "UNSEEN") ?? "NOOP"],
    (payload, literals, at) => take(payload, literals) || takeRow(payload, literals, at),
  );
  // A name that must be sent as a literal needs a separate STATUS.
  const counted =
    accepted.at(-1) === true && "unseen" in status
      ? status
      : yield* command(client, "status", timeout, () => client.status(mailbox.path, { unseen: true }));
  const unseen = counted === false ? undefined : (counted as Status)["unseen"];
  const { uidValidity, uidNext, exists: total, highestModseq } = mailbox;
  if (uidValidity === undefined) return yield* unansweredError("select");
  if (typeof unseen !== "number") return yield* unansweredError("status");
  const unread = Math.min(unseen, total);
  const state = stateIn({ uidValidity, uidNext, messages: total, unseen: unread, highestModseq });
  return { uidValidity: Number(uidValidity), total, unread, state, rows };
});

/** Returns the state of a mailbox from the values of its STATUS; null without a modification sequence. */
export const stateIn = (status: Status): MailboxState | null => {
  const { messages, uidNext, uidValidity, unseen, highestModseq } = status as Partial<Record<string, number | bigint>>;
  if (highestModseq === undefined || BigInt(highestModseq) === 0n) return null;
  const numbers = [uidValidity, uidNext, messages, unseen].map(Number);
  if (numbers.some(Number.isNaN)) return null;
  const [validity, next, total, unread] = numbers as [number, number, number, number];
  return { uidValidity: validity, uidNext: next, total, unread, highestModSeq: BigInt(highestModseq) };
};

/** The STATUS items that make up a mailbox state. */
export const STATE_ITEMS = "MESSAGES UIDNEXT UIDVALIDITY UNSEEN HIGHESTMODSEQ";

/**
 * Returns the current state of a mailbox by STATUS; null if the server refuses, or has no modification sequences for
 * the mailbox. Dovecot answers STATUS of the selected mailbox with the state that it last reported to the session. Such
 * a session therefore sends UNSELECT first, in the same write, unless it has INBOX open and a NOOP reports no changes.
 */
export const currentState = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  timeout: number,
): Effect.fn.Return<MailboxState | null, MailServerError> {
  if (!client.capabilities.has("CONDSTORE")) return null;
  const isSelected = client.mailbox !== false && client.mailbox.path === path;
  // Servers without QRESYNC may report changes late, and other sessions may delete mailboxes other than INBOX.
  if (isSelected && path === "INBOX" && client.capabilities.has("QRESYNC")) {
    const status = yield* command(client, "status", timeout, () =>
      statusIfUnchanged(client, `STATUS INBOX (${STATE_ITEMS})`),
    );
    if (status !== undefined) return stateIn(status);
  }
  const line = statusLine(client, path, STATE_ITEMS);
  if (line === undefined || (isSelected && !client.capabilities.has("UNSELECT"))) return null;
  const { status, take } = collectStatus();
  const left = (at: number, said: string): void => {
    if (isSelected && at === 0 && /^OK\b/i.test(said)) forgetMailbox(client);
  };
  const lines = isSelected ? ["UNSELECT", line] : [line];
  const { accepted } = yield* command(client, "status", timeout, () => pipeline(client, lines, take, left));
  return accepted.every(Boolean) ? stateIn(status) : null;
});

/** The first character of an untagged response. */
const ASTERISK = 0x2a;

/**
 * Returns the STATUS of the selected mailbox; undefined if it may be out of date. STATUS is current if the NOOPs before
 * and after it report no changes, whichever command the server runs first (Dovecot runs STATUS first).
 */
const statusIfUnchanged = async (client: ImapFlow, line: string): Promise<Status | undefined> => {
  const { status, take } = collectStatus();
  let isChanged = false;
  const { accepted } = await pipeline(client, ["NOOP", line, "NOOP"], (payload, literals) => {
    if (take(payload, literals)) return true;
    isChanged ||= payload[0] === ASTERISK;
    return false;
  });
  return accepted.every(Boolean) && !isChanged ? status : undefined;
};

export const unansweredError = (operation: string): MailServerError =>
  new MailServerError({ reason: "protocol", operation, detail: "the server gave no result" });
