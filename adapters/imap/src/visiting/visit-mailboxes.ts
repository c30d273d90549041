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

/** What the server says of a mailbox that it selects. */
export interface Selected {
  readonly uidValidity: number;
  readonly exists: number;
}

/** Commands to send while a mailbox is selected. */
export interface Visit {
  readonly path: string;
  /** The commands without their tags. */
  readonly lines: ReadonlyArray<string>;
  /** Reads a response that came while the server answered one of the commands, or the SELECT before them, which is line -1. */
  readonly take: (payload: Buffer, literals: ReadonlyArray<Buffer>, line: number, selected: Selected) => void;
}

const EXISTS = /^\* (\d{1,10}) EXISTS/i;
const UID_VALIDITY = /^\* OK \[UIDVALIDITY (\d{1,10})\]/i;
const OF_MAILBOX = /^\* (?:\d+ |E?SEARCH|VANISHED|FLAGS|OK \[)/i;
/** News of the mailbox that is selected, of which imapflow keeps the state too. */
const NEWS = /^\* (?:\d+ EX|VANISHED)/i;
/** How much of a response is read to recognise it. */
const MAX_TEXT = 64;

/**
 * Selects mailboxes one after the other, with the commands of each, in one write. Returns what the server said of each; null
 * for a mailbox that is gone, and undefined for a visit that must be made again alone, because its name cannot be sent in
 * quotes, or the server refused one of its commands or answered out of order.
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
  let heard = 0;
  const take: Take = (payload, literals, at) => {
    heard++;
    const text = payload.toString("latin1", 0, MAX_TEXT);
    const answered = sent[at];
    if (answered === undefined || !OF_MAILBOX.test(text)) return false;
    const { visit, line } = answered;
    visits[visit]!.take(payload, literals, line, selected[visit]!);
    const [exists, uidValidity] = [EXISTS.exec(text)?.[1], UID_VALIDITY.exec(text)?.[1]];
    if (exists !== undefined) selected[visit]!.exists = Number(exists);
    if (uidValidity !== undefined) selected[visit]!.uidValidity = Number(uidValidity);
    if (line === -1) readers[visit]!.take(payload);
    return line === -1 || !NEWS.test(text);
  };
  const hear = (at: number, said: string): void => {
    const { visit, line } = sent[at]!;
    if (line !== -1) return;
    const reader = readers[visit]!;
    // Where answers came out of order, some were not read as those of the SELECT.
    if (/^OK\b/i.test(said) && reader.isWhole) rememberMailbox(client, reader.selected(said));
    else forgetMailbox(client);
  };
  /** The time-out is for each response, not for all. */
  const silence = Effect.gen(function* () {
    for (let before = -1; before !== heard;) {
      before = heard;
      yield* Effect.sleep(timeout);
    }
    return yield* timeoutFailure("visit", timeout);
  });
  const visited = command(client, "visit", Infinity, async () => {
    forgetMailbox(client);
    const lines = sent.map(({ text }) => text);
    return pipeline(client, lines, take, hear);
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
