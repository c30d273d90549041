import type { MailboxCursor, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { decodePath, normalizePath } from "imapflow/lib/tools.js";
import { command } from "../connection/command.ts";
import { connectionLoss } from "../connection/imap-failure.ts";
import { isListed, readListRow } from "../rows/list-row.ts";
import { uidNextOf } from "../selecting/mailbox-status.ts";
import { type StatusValues, statusOfEach, statusValues } from "../selecting/status-of-each.ts";
import { examine } from "./poll-mailbox.ts";
import { isAlive, type Untagged } from "../wire/imapflow-internals.ts";
import { pipeline } from "../wire/in-one-write.ts";

/** The value of `WatchedInbox.standings` for a mailbox. */
interface Standing {
  readonly path: string;
  readonly cursor: MailboxCursor;
  readonly counts: string | null;
}

/** Returns the path in a row of a listing, as imapflow writes it. */
export const pathIn = (client: ImapFlow, { attributes: [name] }: Untagged): string =>
  normalizePath(client as never, decodePath(client as never, (name as { readonly value: string }).value));

/**
 * Returns the standings of all mailboxes in one round trip from a server with LIST-STATUS, otherwise those of `paths`
 * by one STATUS each. Leaves out mailboxes that the server refuses, and an open INBOX whose reported state may be old,
 * because Dovecot reports an open mailbox as the session last saw it. `changes` has the changes that the session
 * learned by the end of the NOOP.
 */
export const mailboxStandings = Effect.fnUntraced(function* (
  client: ImapFlow,
  paths: ReadonlyArray<string>,
  changes: { readonly news: boolean },
  timeout: number,
): Effect.fn.Return<ReadonlyArray<Standing>, MailServerError> {
  const hasModSeq = client.enabled.has("CONDSTORE");
  // On a server without modification sequences, UNSEEN changes when a message is read.
  const items = `MESSAGES UIDNEXT UIDVALIDITY ${hasModSeq ? "HIGHESTMODSEQ" : "UNSEEN"}`;
  const listed = client.capabilities.has("LIST-STATUS") ? yield* listStatus(client, items, timeout) : undefined;
  const found = listed ?? (yield* statusOfEach(client, paths, items, timeout));
  const isCurrent = (path: string) => path !== "INBOX" || (hasModSeq && !changes.news);
  const standings: Array<Standing> = [];
  for (const [path, status] of found) {
    if (!isCurrent(path) || status.uidValidity === undefined) continue;
    const uidNext = status.uidNext ?? (yield* examinedUidNext(client, path, timeout));
    if (uidNext !== undefined) standings.push(standingOf(client, path, status, uidNext));
  }
  return standings;
});

/** Returns the UIDNEXT of a mailbox of a server whose STATUS lacks it (163.com); undefined if the server refuses to open it. */
const examinedUidNext = Effect.fnUntraced(function* (client: ImapFlow, path: string, timeout: number) {
  const isRefused = ({ reason }: MailServerError) => isAlive(client) && reason !== "busy";
  const opened = yield* Effect.catchIf(examine(client, path, timeout), isRefused, () => Effect.undefined);
  return opened && (yield* uidNextOf(client, path, timeout));
});

/** Returns the STATUS of every mailbox by path; undefined if the server refuses the command. */
const listStatus = Effect.fnUntraced(function* (client: ImapFlow, items: string, timeout: number) {
  const found = new Map<string, StatusValues>();
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const row = isListed(payload) ? readListRow(payload, literals) : undefined;
    if (row?.command === "STATUS") found.set(pathIn(client, row), statusValues(row));
    return row !== undefined;
  };
  const line = `LIST "" "*" RETURN (STATUS (${items}))`;
  const { accepted } = yield* command(client, "status", timeout, () => pipeline(client, ["NOOP", line], take));
  if (!isAlive(client)) return yield* connectionLoss("status", client.byeReason);
  return accepted[1] ? found : undefined;
});

const standingOf = (client: ImapFlow, path: string, status: StatusValues, uidNext: number): Standing => {
  const highestModSeq = Number(status.highestModseq ?? 0) || null;
  const cursor = { uidValidity: Number(status.uidValidity), uidNext, highestModSeq };
  // Without QRESYNC, a removal may leave the modification sequence unchanged (RFC 7162, 3.1.2.1).
  const isWhole = client.enabled.has("QRESYNC") && highestModSeq !== null;
  return { path, cursor, counts: isWhole ? null : `${status.messages} ${status.unseen ?? ""}` };
};
