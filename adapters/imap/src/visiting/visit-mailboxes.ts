import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { normalizePath } from "imapflow/lib/tools.js";
import { command } from "../connection/command.ts";
import { commandFailure, timeoutFailure } from "../connection/imap-failure.ts";
import { pipeline, type Take } from "../wire/in-one-write.ts";
import { refusalOf } from "../wire/refusal-of.ts";
import { forgetMailbox, rememberMailbox } from "../wire/selected-mailbox.ts";
import { refusalReason } from "../selecting/select-mailbox.ts";
import { SelectedMailbox } from "../selecting/SelectedMailbox.ts";
import { quotedName } from "../selecting/status-line.ts";

/** The data of a mailbox from the server's answer to SELECT. */
export interface Selected {
  readonly uidValidity: number;
  readonly exists: number;
}

/** Commands to send while a mailbox is selected. */
export interface Visit {
  readonly path: string;
  /** The commands without their tags. */
  readonly lines: ReadonlyArray<string>;
  /** Reads an untagged response to one of the commands, by its index; the preceding SELECT has index -1. */
  readonly take: (payload: Buffer, literals: ReadonlyArray<Buffer>, line: number, selected: Selected) => void;
}

const EXISTS = /^\* (\d{1,10}) EXISTS/i;
const UID_VALIDITY = /^\* OK \[UIDVALIDITY (\d{1,10})\]/i;
const MAILBOX_RESPONSE = /^\* (?:\d+ |E?SEARCH|VANISHED|FLAGS|OK \[)/i;
/** Announcements of changes of the selected mailbox, which imapflow must see too to keep its state. */
const CHANGE = /^\* (?:\d+ EX|VANISHED)/i;
/** Maximum number of bytes that are read to recognise a response. */
const MAX_PREFIX_BYTES = 64;

/**
 * Selects mailboxes one after the other and sends the commands of each, all in one write. Returns the SELECT data of
 * each mailbox; null if the mailbox no longer exists; undefined if the mailbox must be visited again separately. This
 * is so if its name cannot be quoted, or if the server refused a command or answered out of order.
 */
export const visitMailboxes = Effect.fnUntraced(function* (
  client: ImapFlow,
  visits: ReadonlyArray<Visit>,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<Selected | null | undefined>, MailServerError> {
  const sent: Array<{ readonly visit: number; readonly line: number; readonly text: string }> = [];
  for (const [visit, { path, lines }] of visits.entries()) {
    const name = quotedName(client, path);
    if (name === undefined) continue;
    for (const [n, text] of [`SELECT ${name}`, ...lines].entries()) sent.push({ visit, line: n - 1, text });
  }
  if (sent.length === 0) return visits.map(() => undefined);
  const selected = visits.map(() => ({ uidValidity: 0, exists: 0 }));
  const readers = visits.map(({ path }) => new SelectedMailbox(normalizePath(client as never, path)));
  let responses = 0;
  const take: Take = (payload, literals, at) => {
    responses++;
    const text = payload.toString("latin1", 0, MAX_PREFIX_BYTES);
    const answered = sent[at];
    if (answered === undefined || !MAILBOX_RESPONSE.test(text)) return false;
    const { visit, line } = answered;
    visits[visit]!.take(payload, literals, line, selected[visit]!);
    const [exists, uidValidity] = [EXISTS.exec(text)?.[1], UID_VALIDITY.exec(text)?.[1]];
    if (exists !== undefined) selected[visit]!.exists = Number(exists);
    if (uidValidity !== undefined) selected[visit]!.uidValidity = Number(uidValidity);
    if (line === -1) readers[visit]!.take(payload);
    return line === -1 || !CHANGE.test(text);
  };
  const readTagged = (at: number, said: string): void => {
    const { visit, line } = sent[at]!;
    if (line !== -1) return;
    const reader = readers[visit]!;
    // If answers came out of order, `reader` missed some answers to the SELECT.
    if (/^OK\b/i.test(said) && reader.isWhole) rememberMailbox(client, reader.selected(said));
    else forgetMailbox(client);
  };
  /** Fails if no response arrives within the timeout. */
  const silence = Effect.gen(function* () {
    for (let before = -1; before !== responses;) {
      before = responses;
      yield* Effect.sleep(timeout);
    }
    return yield* timeoutFailure("visit", timeout);
  });
  const visited = command(client, "visit", Infinity, async () => {
    forgetMailbox(client);
    const lines = sent.map(({ text }) => text);
    return pipeline(client, lines, take, readTagged);
  });
  const { accepted, refusals, ended } = yield* Effect.raceFirst(visited, silence);
  const gone = new Set<number>();
  for (const [n, { visit, line }] of sent.entries()) {
    const refusal = line === -1 ? refusals[n] : undefined;
    if (refusal === undefined) continue;
    const why = refusalReason(client, visits[visit]!.path, timeout, commandFailure("select", refusalOf(refusal)));
    yield* Effect.catchTag(why, ["FolderNotFound", "FolderNotSelectable"], () => Effect.sync(() => gone.add(visit)));
  }
  const isRefused = new Set(sent.filter((_, n) => accepted[n] !== true).map(({ visit }) => visit));
  const isSent = new Set(sent.map(({ visit }) => visit));
  const order = ended.map((n) => sent[n]!.visit);
  const isOrdered = order.every((visit, n) => n === 0 || visit >= order[n - 1]!);
  return selected.map((one, visit) => {
    if (gone.has(visit)) return null;
    const isSure = isOrdered && isSent.has(visit) && !isRefused.has(visit) && one.uidValidity > 0;
    return isSure ? one : undefined;
  });
});
