import { Clock, Duration, Effect } from "effect";
import { OutgoingJournal } from "../send/index.ts";
import { type AccountId, Entropy } from "../shared/index.ts";
import type { FolderId } from "../shared/neighbours.ts";
import { type ArrivedMessage, FollowedMailboxes, matchFingerprints } from "../watch/index.ts";
import { type MailboxChange, matchReturned } from "../watch/neighbours.ts";
import { INBOX } from "./FollowedFolder.ts";

type Changes = ReadonlyArray<MailboxChange<ArrivedMessage>>;

/** How long a record of a message that left is kept, to recognise the message if it returns. */
export const LEFT_LIFETIME = Duration.days(90);

/** The ports that recognise messages which are not new arrivals. */
export const recognitionPorts = Effect.all({
  mailboxes: FollowedMailboxes,
  journal: OutgoingJournal,
  entropy: Entropy,
});
type RecognitionPorts = Effect.Success<typeof recognitionPorts>;

/** Drops the arrivals in INBOX that Postern itself moved there. */
const dropExpected = Effect.fnUntraced(function* (
  { mailboxes }: RecognitionPorts,
  account: AccountId,
  changes: Changes,
) {
  const came = changes.flatMap((change) =>
    change._tag === "Received" || change._tag === "Moved" ? [change.message] : [],
  );
  if (came.length === 0) return changes;
  const expected = yield* mailboxes.listExpected(account, INBOX.key, yield* Clock.currentTimeMillis);
  if (expected.length === 0) return changes;
  const { unseen, missing } = matchFingerprints(came, expected);
  const waiting = new Set(missing.map(({ id }) => id));
  const arrived = expected.flatMap(({ id }) => (waiting.has(id) ? [] : [id]));
  yield* mailboxes.forgetExpected(account, INBOX.key, arrived);
  const foreign = new Set(unseen.map(({ uid }) => uid));
  return changes.filter(({ _tag, message }) => _tag !== "Received" || foreign.has(message.uid));
});

/** Drops the copies of Postern's own mail from the arrivals in Sent. */
const dropOwnCopies = Effect.fnUntraced(function* (
  { journal }: RecognitionPorts,
  account: AccountId,
  changes: Changes,
) {
  const messageIds = changes.flatMap(({ _tag, message }) =>
    _tag === "Received" && message.messageId !== null ? [message.messageId] : [],
  );
  if (messageIds.length === 0) return changes;
  const own = new Set<string | null | undefined>(
    (yield* journal.named(account, messageIds, [])).flatMap(({ messageId, providerMessageId }) => [
      messageId,
      providerMessageId,
    ]),
  );
  return changes.filter(({ _tag, message }) => _tag !== "Received" || !own.has(message.messageId));
});

/**
 * Marks arrivals that were in a followed folder before, such as a snoozed message, and records the messages that leave
 * now. One record holds the departures from all followed folders.
 */
const markReturned = Effect.fnUntraced(function* (
  { mailboxes, entropy }: RecognitionPorts,
  account: AccountId,
  changes: Changes,
) {
  const now = yield* Clock.currentTimeMillis;
  const gone = yield* Effect.forEach(
    changes.flatMap(({ _tag, message }) => (_tag === "Deleted" ? [message] : [])),
    ({ emailId, messageId, size, arrivedAt }) =>
      Effect.map(entropy.id(96), (id) => ({ id, emailId, messageId, size, arrivedAt, leftAt: now })),
  );
  if (gone.length > 0) yield* mailboxes.recordLeft(account, INBOX.key, gone);
  const sizes = changes.flatMap(({ _tag, message }) => (_tag === "Received" ? [message.size] : []));
  if (sizes.length === 0) return changes;
  const since = now - Duration.toMillis(LEFT_LIFETIME);
  const matched = matchReturned(changes, yield* mailboxes.findLeft(account, INBOX.key, sizes, since));
  if (matched.ids.length > 0) yield* mailboxes.forgetLeft(account, matched.ids);
  return matched.changes;
});

/** Returns the changes of a folder that must be announced. */
export const recognise = Effect.fnUntraced(function* (
  on: RecognitionPorts,
  account: AccountId,
  folderId: FolderId,
  changes: Changes,
) {
  if (folderId === "drafts") return changes.filter(({ _tag }) => _tag !== "FlagsChanged");
  const marked = yield* markReturned(on, account, changes);
  if (folderId === INBOX.id) return yield* dropExpected(on, account, marked);
  return folderId === "sent" ? yield* dropOwnCopies(on, account, marked) : marked;
});
