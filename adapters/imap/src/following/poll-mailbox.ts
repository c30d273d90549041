import type { MailboxCursor, MailServerError } from "@postern/core/mail";
import { countIn, type InboxPoll, isIn, rangesBelow, type UidRanges } from "@postern/core/watch";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { arrivedMessages } from "./arrived-messages.ts";
import { command } from "../connection/command.ts";
import { fetchFlags, type FlagsOfMessage, sweepFlags } from "./flag-changes.ts";
import { type MailboxStatus, mailboxStatus } from "../selecting/mailbox-status.ts";
import type { KnownMessages } from "./KnownMessages.ts";
import { newUids } from "./new-uids.ts";
import { skipListBeforeSelect } from "../wire/imapflow-internals.ts";
import { searchRanges } from "../reading/search-uids.ts";
import { isCyrus } from "../wire/is-cyrus.ts";
import type { Vanished } from "../wire/read-vanished.ts";
import { uidSet } from "../wire/uid-set.ts";

/**
 * Maximum number of arrivals in one poll, because each arrival is described in full and all are announced in one
 * transaction.
 */
const MAX_ARRIVALS = 500;

/** Opens a mailbox to read it. */
export const examine = (client: ImapFlow, path: string, timeout: number) =>
  Effect.suspend(() => {
    skipListBeforeSelect(client, path);
    return command(client, "select", timeout, () => client.mailboxOpen(path, { readOnly: true }));
  });

/**
 * Returns the changes in an open mailbox since `since`. The cursor is read first, so the next poll returns changes made
 * during this poll again; the caller ignores such repetitions. From a server without QRESYNC, the messages are listed
 * only if their number shows that a message vanished. From a server without CONDSTORE, flags are read once a minute.
 */
export const pollMailbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  since: MailboxCursor | null,
  known: KnownMessages,
  timeout: number,
): Effect.fn.Return<InboxPoll, MailServerError> {
  const status = yield* mailboxStatus(client, path, timeout);
  const { cursor } = status;
  if (client.mailbox === false || Number(client.mailbox.uidValidity) !== cursor.uidValidity) {
    yield* examine(client, path, timeout);
    known.reset();
  }
  if (since === null || since.uidValidity !== cursor.uidValidity) {
    return { cursor, arrived: [], vanished: [], flags: [] };
  }

  const uids = yield* newUids(client, since, cursor, MAX_ARRIVALS, timeout);
  const next = uids[MAX_ARRIVALS];
  const arrived = yield* arrivedMessages(client, uids.slice(0, MAX_ARRIVALS), timeout);
  if (next !== undefined) {
    // The last of these polls returns the other kinds of changes.
    return { cursor: { ...since, uidNext: next }, arrived, vanished: [], flags: [], more: true };
  }
  const changed = yield* changesByQresync(client, since, cursor, known, timeout);
  if (changed !== undefined) return { cursor, arrived, ...changed };
  yield* updatePresent(
    client,
    path,
    status,
    arrived.map(({ uid }) => uid),
    known,
    timeout,
  );
  yield* updateFlags(client, since, cursor, known, timeout);
  return { cursor, arrived, ...known.changes() };
});

/** Returns whether modification sequences show the changes since `since`. A server may have restarted its sequences. */
const isContinued = (
  since: MailboxCursor,
  now: MailboxCursor,
): since is MailboxCursor & { readonly highestModSeq: number } =>
  since.highestModSeq !== null && now.highestModSeq !== null && now.highestModSeq >= since.highestModSeq;

/** Returns the changes since `since` if the server reports them by QRESYNC (RFC 7162). */
const changesByQresync = Effect.fnUntraced(function* (
  client: ImapFlow,
  since: MailboxCursor,
  now: MailboxCursor,
  known: KnownMessages,
  timeout: number,
) {
  if (!client.enabled.has("QRESYNC") || known.refusesVanished || !isContinued(since, now)) return undefined;
  known.takeAnnounced();
  if (now.highestModSeq === since.highestModSeq) return { vanished: [], flags: [] };
  const said: Array<number> = [];
  let isTold = true;
  const note = ({ uid, vanished }: Partial<Vanished>): void => {
    if (uid !== undefined) said.push(uid);
    else if (vanished === true) isTold = false;
  };
  client.on("expunge", note as never);
  // `*` is the last remaining message: Cyrus reports no removal behind it.
  const range = `1:${Math.max(1, now.uidNext - 1)}`;
  const flags = yield* fetchFlags(client, range, timeout, { changedSince: since.highestModSeq }).pipe(
    Effect.map((found): ReadonlyArray<FlagsOfMessage> | undefined => found),
    // A Cyrus behind a murder frontend enables QRESYNC and answers BAD to VANISHED.
    Effect.catchIf(
      ({ reason }) => reason === "protocol",
      () => Effect.undefined,
    ),
    Effect.ensuring(Effect.sync(() => client.off("expunge", note as never))),
  );
  if (flags === undefined || !isTold) {
    known.refusesVanished = true;
    return undefined;
  }
  const gone = [...new Set(said)].filter((uid) => uid < now.uidNext).toSorted((one, other) => one - other);
  return { vanished: yield* withoutPresent(client, gone, timeout), flags };
});

/**
 * Returns the vanished UIDs that are no longer present. After an upgrade, a Cyrus server reported every message as
 * vanished.
 */
const withoutPresent = Effect.fnUntraced(function* (client: ImapFlow, uids: ReadonlyArray<number>, timeout: number) {
  if (uids.length === 0) return [];
  // Cyrus reports a removal before the session sees it, and still finds the removed message until then.
  if (isCyrus(client)) yield* command(client, "noop", timeout, () => client.noop());
  const present = yield* searchRanges(client, `${uids[0]}:${uids.at(-1)}`, timeout);
  return uids.filter((uid) => !isIn(present, uid));
});

/**
 * Compares the number of messages with the known ones. If a message vanished, first checks the messages that the server
 * announced as removed. If the announced removals do not explain the difference, lists the present messages.
 */
const updatePresent = Effect.fnUntraced(function* (
  client: ImapFlow,
  path: string,
  { cursor: { uidNext }, messages }: MailboxStatus,
  arrived: ReadonlyArray<number>,
  known: KnownMessages,
  timeout: number,
) {
  if (known.accountsFor(arrived, messages)) return known.update(arrived, [], uidNext);
  const removed = known.removed(arrived, messages);
  if (removed.length > 0 && countIn(yield* searchRanges(client, uidSet(removed), timeout)) === 0) {
    return known.update(arrived, removed, uidNext);
  }
  const present = rangesBelow(yield* searchRanges(client, "1:*", timeout), uidNext);
  if (countIn(present) !== messages) {
    // More messages may have vanished meanwhile. If the list is still too short, it is not used.
    yield* command(client, "noop", timeout, () => client.noop());
    const again = yield* mailboxStatus(client, path, timeout);
    if (again.cursor.uidNext !== uidNext || again.messages !== countIn(present)) return;
  }
  known.replace(withHidden(client, present, messages), uidNext, countIn(present));
});

/**
 * Returns the present messages including hidden ones. A server with MESSAGELIMIT (RFC 9738) hides the oldest messages
 * of a large mailbox; these messages have not vanished.
 */
const withHidden = ({ capabilities }: ImapFlow, present: UidRanges, messages: number): UidRanges => {
  const announced = [...capabilities.keys()].find((name) => name.startsWith("MESSAGELIMIT="));
  const [lowest, ...others] = present;
  if (announced === undefined || lowest === undefined || messages < Number(announced.split("=")[1])) return present;
  return [[1, lowest[1]], ...others];
};

const updateFlags = Effect.fnUntraced(function* (
  client: ImapFlow,
  since: MailboxCursor,
  now: MailboxCursor,
  known: KnownMessages,
  timeout: number,
) {
  const announced = known.takeAnnounced();
  if (!client.enabled.has("CONDSTORE") || now.highestModSeq === null) {
    return yield* sweepFlags(client, announced, known, timeout);
  }
  if (now.highestModSeq === since.highestModSeq) return;
  if (client.mailbox !== false && client.mailbox.exists === 0) return;
  const changedSince = isContinued(since, now) ? { changedSince: since.highestModSeq } : {};
  // imapflow would add VANISHED to a UID FETCH, which this server lacks or refuses.
  known.addFlags(yield* fetchFlags(client, "1:*", timeout, { ...changedSince, uid: false }));
});
