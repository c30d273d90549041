import type { MailServerError } from "@postern/core/mail";
import type { MailboxPlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { type ArrivedAt, executeAll } from "../connection/execute.ts";
import { isOpenInbox } from "../selecting/open-mailbox.ts";
import { quotedName } from "../selecting/status-line.ts";
import { searchLine } from "../visiting/search-line.ts";
import { SearchAnswer } from "../visiting/SearchAnswer.ts";
import { uidSet } from "../wire/uid-set.ts";
import { checkPermitted } from "./check-permitted.ts";

/**
 * Returns whether messages of this mailbox can be searched and changed in one write. This needs an open INBOX, because
 * its UIDs stay valid for the session, and a server with UIDPLUS and MOVE, because these commands change only the given
 * messages. Gmail is excluded, because its EXPUNGE only removes a label.
 */
export const isChangedAtOnce = (client: ImapFlow, { path, uidValidity }: MailboxPlace): boolean =>
  isOpenInbox(client, path, uidValidity) &&
  client.capabilities.has("UIDPLUS") &&
  client.capabilities.has("MOVE") &&
  !client.capabilities.has("X-GM-EXT-1");

/**
 * Searches messages of the open INBOX and changes them by the given commands, all in one write. Returns the messages
 * found and the new locations from COPYUID.
 */
const changeFound = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  operation: string,
  commands: ReadonlyArray<string>,
  timeout: number,
) {
  const search = searchLine(client, { uid: uidSet(uids) })!;
  const found = new SearchAnswer(false);
  const arrived = new Map<number, ArrivedAt>();
  yield* executeAll(
    client,
    operation,
    ["NOOP", search, ...commands],
    timeout,
    (payload) => {
      readCopyUid(payload.toString("latin1", 0, MAX_TEXT), arrived);
      return found.take(payload, uids.length);
    },
    (_, said) => readCopyUid(said, arrived),
  );
  return { present: found.uids() ?? uids, arrived };
});

/** Moves messages of the open INBOX; returns undefined if the name of the other mailbox cannot be sent in one write. */
export const moveFromOpenInbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  to: string,
  timeout: number,
): Effect.fn.Return<
  ReadonlyArray<{ readonly uid: number; readonly to: ArrivedAt | null }> | undefined,
  MailServerError
> {
  const name = quotedName(client, to);
  if (name === undefined) return undefined;
  const move = `UID MOVE ${uidSet(uids)} ${name}`;
  const { present, arrived } = yield* changeFound(client, uids, "uid move", [move], timeout);
  // Another session may have removed some of the found messages before the move.
  const moved = arrived.size === 0 ? present : present.filter((uid) => arrived.has(uid));
  return moved.map((uid) => ({ uid, to: arrived.get(uid) ?? null }));
});

/** Deletes messages of the open INBOX permanently. Returns the messages that existed. */
export const destroyInOpenInbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  timeout: number,
): Effect.fn.Return<ReadonlySet<number>, MailServerError> {
  yield* checkPermitted(client, "expunge", ["\\Deleted"]);
  const set = uidSet(uids);
  const commands = [`UID STORE ${set} +FLAGS.SILENT (\\Deleted)`, `UID EXPUNGE ${set}`];
  const { present } = yield* changeFound(client, uids, "expunge", commands, timeout);
  return new Set(present);
});

const COPY_UID = /^(?:\* )?OK \[COPYUID (\d{1,10}) ([\d:,]+) ([\d:,]+)\]/i;

/**
 * Maximum size of a response that is read for a COPYUID: a batch has 1,000 messages, with two UIDs of ten digits each.
 */
const MAX_TEXT = 64 << 10;

/** Adds the new locations that a COPYUID names (RFC 4315, 3). */
const readCopyUid = (text: string, arrived: Map<number, ArrivedAt>): void => {
  const [, uidValidity, from = "", to = ""] = COPY_UID.exec(text) ?? [];
  const [sources, copies] = [numbersIn(from), numbersIn(to)];
  if (sources.length !== copies.length) return;
  for (const [n, uid] of sources.entries()) arrived.set(uid, { uidValidity: Number(uidValidity), uid: copies[n]! });
};

const MAX_NUMBERS = 10_000;

/** Returns the numbers of a sequence set in its order; none if the set has too many numbers. */
const numbersIn = (set: string): ReadonlyArray<number> => {
  const numbers: Array<number> = [];
  for (const range of set.split(",").filter(Boolean)) {
    const [first = 0, last = first] = range.split(":").map(Number);
    if (!(Math.abs(last - first) < MAX_NUMBERS - numbers.length)) return [];
    const step = first <= last ? 1 : -1;
    for (let at = 0; at <= Math.abs(last - first); at++) numbers.push(first + at * step);
  }
  return numbers;
};
