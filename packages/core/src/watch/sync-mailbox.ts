import type { MailboxCursor } from "../mail/index.ts";
import type { MailboxKey } from "../shared/neighbours.ts";
import { changedFlags, flagsOf, sameFlags } from "./changed-flags.ts";
import { pairRenumbered } from "./match-fingerprints.ts";
import type { MessageFlags, SeenMessage } from "./SeenMessage.ts";

/** An observation of a mailbox. Messages that are not in this list did not change. */
export interface MailboxObservation<Message extends SeenMessage = SeenMessage> {
  readonly cursor: MailboxCursor;
  /** Messages at or above the known UIDNEXT; after a change of UIDVALIDITY, the messages of `whole` that match no seen message. */
  readonly arrived: ReadonlyArray<Message>;
  /** UIDs of seen messages that are gone, if the UIDVALIDITY is the same; a server may report a UID twice. */
  readonly vanished: ReadonlyArray<number>;
  /** Flags of seen messages that may have changed. */
  readonly flags: ReadonlyArray<MessageFlags & { readonly uid: number }>;
  /** After a change of UIDVALIDITY, every message below UIDNEXT; undefined if new and old messages cannot be told apart. */
  readonly whole?: ReadonlyArray<SeenMessage>;
  /** The earlier and the present UIDs of the messages of `whole` that match a seen message. */
  readonly renumbered?: ReadonlyArray<{ readonly from: number; readonly now: number }>;
}

/** The known state of a followed mailbox. */
export interface KnownMailbox {
  readonly cursor: MailboxCursor;
  /** The lowest UID from which on `seen` contains every message up to UIDNEXT. Changes of older messages are not announced. */
  readonly seenFrom: number;
  readonly seen: ReadonlyMap<number, SeenMessage>;
}

/** A change of a message. UIDs of deleted messages belong to the previous UIDVALIDITY. */
export type MailboxChange<Message extends SeenMessage = SeenMessage> =
  | {
      readonly _tag: "Received";
      readonly message: Message;
      /** Whether the message was in the mailbox before, left it and returned. */
      readonly isReturned?: boolean;
      /** Whether the message arrived while nothing followed the account. */
      readonly isBackfill?: boolean;
    }
  | {
      readonly _tag: "Moved";
      /** The message at its present location. */
      readonly message: Message;
      readonly fromFolderId: MailboxKey;
    }
  | { readonly _tag: "Deleted"; readonly message: SeenMessage }
  | {
      readonly _tag: "FlagsChanged";
      readonly message: SeenMessage;
      /** `unread`, `flagged`, `answered`, and `label:` with the name of each label that was added or removed. */
      readonly changed: ReadonlyArray<string>;
    };

/** The changes to announce and the state to save with them. */
export interface MailboxSync<Message extends SeenMessage = SeenMessage> {
  readonly cursor: MailboxCursor;
  readonly seenFrom: number;
  readonly changes: ReadonlyArray<MailboxChange<Message>>;
  /** Whether `remember` replaces all seen messages. */
  readonly reset: boolean;
  readonly remember: ReadonlyArray<SeenMessage>;
  readonly forget: ReadonlyArray<number>;
}

/** Returns the changes since the last observation of a mailbox (spec 7). If the same observation is applied twice, each change is announced once. */
export const syncMailbox = <Message extends SeenMessage>(
  known: KnownMailbox | null,
  observed: MailboxObservation<Message>,
): MailboxSync<Message> => {
  const { cursor, arrived, whole } = observed;
  const same = known?.cursor.uidValidity === cursor.uidValidity;
  if (known === null || (!same && whole === undefined)) {
    return { cursor, seenFrom: cursor.uidNext, changes: [], reset: true, remember: [], forget: [] };
  }
  if (!same) {
    const seen = [...known.seen.values()];
    const pairs = pairRenumbered(whole!, seen);
    const paired = new Set(pairs.values());
    const [unseen, missing] = [whole!.filter((one) => !pairs.has(one)), seen.filter((one) => !paired.has(one))];
    const described = new Map(arrived.map((message) => [message.uid, message]));
    const fresh = unseen.flatMap(({ uid }) => described.get(uid) ?? []).toSorted(byUid);
    // New messages without a description were deleted meanwhile.
    const gone = new Set(unseen.flatMap(({ uid }) => (described.has(uid) ? [] : [uid])));
    const flagged = [...pairs].flatMap(([message, before]) => {
      const changed = changedFlags(before, message);
      return changed.length > 0 ? [flagsChanged({ message, changed })] : [];
    });
    const changes = [...missing.map(deleted), ...flagged, ...fresh.map(received)];
    return {
      cursor,
      seenFrom: 1,
      changes,
      reset: true,
      remember: whole!.filter(({ uid }) => !gone.has(uid)),
      forget: [],
    };
  }

  const left = new Set(observed.vanished);
  // A message that was seen before is not an arrival, even if its UID is above UIDNEXT. The same holds for a message
  // that has already left again.
  const fresh = arrived
    .filter(({ uid }) => uid >= known.cursor.uidNext && !known.seen.has(uid) && !left.has(uid))
    .toSorted(byUid);
  const furthest = {
    ...cursor,
    uidNext: Math.max(cursor.uidNext, known.cursor.uidNext, highest(arrived) + 1),
  };
  const gone = [...left].flatMap((uid) => known.seen.get(uid) ?? []);
  const goneUids = new Set(gone.map(({ uid }) => uid));
  const changed = observed.flags.flatMap(({ uid, ...flags }) => {
    const seen = known.seen.get(uid);
    if (seen === undefined || goneUids.has(uid) || sameFlags(seen, flags)) return [];
    return [{ message: { ...seen, ...flagsOf(flags) }, changed: changedFlags(seen, flags) }];
  });
  // If the labels of a message were unknown, they are recorded and nothing is announced.
  const announced = changed.filter(({ changed }) => changed.length > 0);
  return {
    cursor: furthest,
    seenFrom: known.seenFrom,
    changes: [...gone.map(deleted), ...announced.map(flagsChanged), ...fresh.map(received)],
    reset: false,
    remember: [...changed.map(({ message }) => message), ...fresh],
    forget: gone.map(({ uid }) => uid),
  };
};

/** Events are published in the order of arrival, but servers may answer a FETCH in any order. */
const byUid = (one: SeenMessage, other: SeenMessage): number => one.uid - other.uid;

const received = <Message extends SeenMessage>(message: Message): MailboxChange<Message> => ({
  _tag: "Received",
  message,
});
const deleted = (message: SeenMessage): MailboxChange<never> => ({ _tag: "Deleted", message });
const flagsChanged = (
  change: Omit<Extract<MailboxChange, { _tag: "FlagsChanged" }>, "_tag">,
): MailboxChange<never> => ({
  _tag: "FlagsChanged",
  ...change,
});

const highest = (messages: ReadonlyArray<SeenMessage>): number =>
  messages.reduce((most, { uid }) => Math.max(most, uid), 0);
