import { Effect, Option } from "effect";
import { type MailboxAccessError, type MailboxCursor, MailServerError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { MailboxKey } from "../shared/neighbours.ts";
import {
  type ArrivedMessage,
  type FollowedMailboxes,
  type InboxPoll,
  isIn,
  type KnownMailbox,
  type SeenMessage,
  type UidRanges,
} from "../watch/index.ts";
import { type MailboxObservation, pairRenumbered, sameFlags, type WatchedMailbox } from "../watch/neighbours.ts";

/** A mailbox of an account. */
interface Place {
  readonly account: AccountId;
  readonly folderId: MailboxKey;
}

type Mailboxes = FollowedMailboxes["Service"];
type FollowedMailbox = Omit<KnownMailbox, "seen">;

/** Returns the observation of a polled mailbox. If the server does not report changes, compares with the recorded messages. */
export const observeMailbox = Effect.fnUntraced(function* (
  mailboxes: Mailboxes,
  place: Place,
  mailbox: WatchedMailbox,
  known: Option.Option<FollowedMailbox>,
  poll: InboxPoll,
): Effect.fn.Return<MailboxObservation<ArrivedMessage>, MailboxAccessError> {
  const nothing = { cursor: poll.cursor, arrived: [], vanished: [], flags: [] };
  if (Option.isNone(known)) return nothing;
  const { cursor, seenFrom } = known.value;
  if (cursor.uidValidity === poll.cursor.uidValidity) {
    return poll.present === undefined
      ? poll
      : { ...poll, ...(yield* comparePresent(mailboxes, place, seenFrom, poll)) };
  }
  if (seenFrom > 1) return nothing;
  const whole = yield* readWhole(mailbox, poll.cursor);
  const pairs = pairRenumbered(whole, [...(yield* readAllSeen(mailboxes, place)).values()]);
  const unseen = whole.filter((one) => !pairs.has(one));
  return {
    ...nothing,
    whole,
    arrived: yield* mailbox.describe(unseen.map(({ uid }) => uid)),
    renumbered: [...pairs].map(([{ uid: now }, { uid: from }]) => ({ from, now })),
  };
});

/** Compares the mailbox with the recorded messages, for a server that does not report changes. */
const comparePresent = Effect.fnUntraced(function* (
  mailboxes: Mailboxes,
  place: Place,
  seenFrom: number,
  { present, flags }: Extract<InboxPoll, { readonly present: UidRanges }>,
) {
  const flagsOf = new Map(flags.map((one) => [one.uid, one]));
  const vanished: Array<number> = [];
  const changed: Array<(typeof flags)[number]> = [];
  yield* forEachSeen(mailboxes, place, seenFrom, (seen) => {
    const now = flagsOf.get(seen.uid);
    if (!isIn(present, seen.uid)) vanished.push(seen.uid);
    else if (now !== undefined && !sameFlags(seen, now)) changed.push(now);
  });
  return { vanished, flags: changed };
});

const forEachSeen = Effect.fnUntraced(function* (
  mailboxes: Mailboxes,
  { account, folderId }: Place,
  seenFrom: number,
  take: (seen: SeenMessage) => void,
) {
  for (let from = seenFrom; ;) {
    const some = yield* mailboxes.listSeenFrom(account, folderId, from);
    const last = some.at(-1);
    if (last === undefined) return;
    for (const seen of some) take(seen);
    from = last.uid + 1;
  }
});

/** Returns every recorded message of a mailbox, by UID. */
export const readAllSeen = Effect.fnUntraced(function* (mailboxes: Mailboxes, place: Place) {
  const seen = new Map<number, SeenMessage>();
  yield* forEachSeen(mailboxes, place, 1, (one) => void seen.set(one.uid, one));
  return seen;
});

/** Returns the recorded messages that an observation concerns, by UID. */
export const findSeen = (
  mailboxes: Mailboxes,
  place: Place,
  known: FollowedMailbox,
  { cursor, ...observed }: MailboxObservation<ArrivedMessage>,
): Effect.Effect<ReadonlyMap<number, SeenMessage>, StoreUnavailable> => {
  if (known.cursor.uidValidity !== cursor.uidValidity) {
    return observed.whole === undefined ? Effect.succeed(new Map()) : readAllSeen(mailboxes, place);
  }
  const uids = [...observed.vanished, ...[...observed.flags, ...observed.arrived].map(({ uid }) => uid)];
  return mailboxes.findSeen(
    place.account,
    place.folderId,
    [...new Set(uids)].filter((uid) => uid >= known.seenFrom),
  );
};

/** Returns every message below the cursor. */
const readWhole = Effect.fnUntraced(function* (mailbox: WatchedMailbox, { uidValidity, uidNext }: MailboxCursor) {
  const whole: Array<SeenMessage> = [];
  for (let below = uidNext; below > 1;) {
    const slice = yield* mailbox.below(below);
    if (slice.uidValidity !== uidValidity) return yield* failRecreated;
    whole.push(...slice.messages);
    below = slice.from;
  }
  return whole;
});

const failRecreated = Effect.suspend(
  () =>
    new MailServerError({ reason: "protocol", operation: "fetch", detail: "a mailbox was recreated while being read" }),
);
