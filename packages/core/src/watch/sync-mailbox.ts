import type { MailboxCursor } from "../mail/index.ts";
import { matchFingerprints } from "./match-fingerprints.ts";
import type { MessageFlags, SeenMessage } from "./SeenMessage.ts";

/** A mailbox as it was looked at. What is left out did not change. */
export interface MailboxObservation<Message extends SeenMessage = SeenMessage> {
  readonly cursor: MailboxCursor;
  /** Messages at or above the known UIDNEXT; under another UIDVALIDITY those of `whole` that equal none that was seen. */
  readonly arrived: ReadonlyArray<Message>;
  /** Of the messages that were seen, under the same UIDVALIDITY: those that are gone, … */
  readonly vanished: ReadonlyArray<number>;
  /** … and the flags of those that may have changed. */
  readonly flags: ReadonlyArray<MessageFlags & { readonly uid: number }>;
  /** Under another UIDVALIDITY, every message below UIDNEXT; undefined where it cannot be told what of it is new. */
  readonly whole?: ReadonlyArray<SeenMessage>;
}

/** What is known of a mailbox that is followed. */
export interface KnownMailbox {
  readonly cursor: MailboxCursor;
  /** `seen` holds every message there was from this UID on, below UIDNEXT; of those below it only arrivals are told. */
  readonly seenFrom: number;
  readonly seen: ReadonlyMap<number, SeenMessage>;
}

/** What happened to a message of a mailbox. UIDs of the vanished are under the UIDVALIDITY before. */
export type MailboxChange<Message extends SeenMessage = SeenMessage> =
  | { readonly _tag: "Received"; readonly message: Message }
  | { readonly _tag: "Deleted"; readonly message: SeenMessage }
  | { readonly _tag: "FlagsChanged"; readonly message: SeenMessage };

/** What is to be announced, and what is to be written down together with that. */
export interface MailboxSync<Message extends SeenMessage = SeenMessage> {
  readonly cursor: MailboxCursor;
  readonly seenFrom: number;
  readonly changes: ReadonlyArray<MailboxChange<Message>>;
  /** Whether `remember` is all there is, in place of what was seen. */
  readonly reset: boolean;
  readonly remember: ReadonlyArray<SeenMessage>;
  readonly forget: ReadonlyArray<number>;
}

/** Returns what changed since a mailbox was last observed (spec 7). Applied twice it announces once. */
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
    const { unseen, missing } = matchFingerprints(whole!, [...known.seen.values()]);
    const described = new Map(arrived.map((message) => [message.uid, message]));
    const fresh = unseen.flatMap(({ uid }) => described.get(uid) ?? []).toSorted(byUid);
    // What is new and could not be described any more is gone again.
    const gone = new Set(unseen.flatMap(({ uid }) => (described.has(uid) ? [] : [uid])));
    const changes = [...missing.map(deleted), ...fresh.map(received)];
    return {
      cursor,
      seenFrom: 1,
      changes,
      reset: true,
      remember: whole!.filter(({ uid }) => !gone.has(uid)),
      forget: [],
    };
  }

  // A message that was seen and is looked at again is no arrival, whatever UIDNEXT said.
  const fresh = arrived.filter(({ uid }) => uid >= known.cursor.uidNext && !known.seen.has(uid)).toSorted(byUid);
  const furthest = {
    ...cursor,
    uidNext: Math.max(cursor.uidNext, known.cursor.uidNext, highest(arrived) + 1),
  };
  const gone = observed.vanished.flatMap((uid) => known.seen.get(uid) ?? []);
  const goneUids = new Set(gone.map(({ uid }) => uid));
  const changed = observed.flags.flatMap(({ uid, ...flags }) => {
    const seen = known.seen.get(uid);
    return seen === undefined || goneUids.has(uid) || sameFlags(seen, flags) ? [] : [{ ...seen, ...flagsOf(flags) }];
  });
  return {
    cursor: furthest,
    seenFrom: known.seenFrom,
    changes: [...gone.map(deleted), ...changed.map(flagsChanged), ...fresh.map(received)],
    reset: false,
    remember: [...changed, ...fresh],
    forget: gone.map(({ uid }) => uid),
  };
};

/** The order of arrival, in which events are told. A server may answer a FETCH in any order. */
const byUid = (one: SeenMessage, other: SeenMessage): number => one.uid - other.uid;

const received = <Message extends SeenMessage>(message: Message): MailboxChange<Message> => ({
  _tag: "Received",
  message,
});
const deleted = (message: SeenMessage): MailboxChange<never> => ({ _tag: "Deleted", message });
const flagsChanged = (message: SeenMessage): MailboxChange<never> => ({ _tag: "FlagsChanged", message });

const flagsOf = ({ unread, flagged, answered }: MessageFlags): MessageFlags => ({ unread, flagged, answered });

/** Whether two messages have the same flags of those that are announced. */
export const sameFlags = (a: MessageFlags, b: MessageFlags): boolean =>
  a.unread === b.unread && a.flagged === b.flagged && a.answered === b.answered;

const highest = (messages: ReadonlyArray<SeenMessage>): number =>
  messages.reduce((most, { uid }) => Math.max(most, uid), 0);
