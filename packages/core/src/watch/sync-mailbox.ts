import type { MailboxCursor } from "../mail/index.ts";
import { matchFingerprints } from "./match-fingerprints.ts";
import type { MessageFlags, SeenMessage } from "./SeenMessage.ts";

/** A mailbox as it was looked at. What is left out did not change. */
export interface MailboxObservation<Message extends SeenMessage = SeenMessage> {
  readonly cursor: MailboxCursor;
  /**
   * Every message at or above the known UIDNEXT; all there are where the UIDVALIDITY is another, or what was seen is not
   * complete.
   */
  readonly arrived: ReadonlyArray<Message>;
  /** Of the messages that were seen, under the same UIDVALIDITY: those that are gone, … */
  readonly vanished: ReadonlyArray<number>;
  /** … and the flags of those that may have changed. */
  readonly flags: ReadonlyArray<MessageFlags & { readonly uid: number }>;
}

/** What is known of a mailbox that is followed. */
export interface KnownMailbox {
  readonly cursor: MailboxCursor;
  /** Whether `seen` holds every message there was below UIDNEXT; if not, only arrivals can be told. */
  readonly complete: boolean;
  readonly seen: ReadonlyMap<number, SeenMessage>;
}

/** What happened to a message of a mailbox. UIDs of the vanished are under the UIDVALIDITY before. */
export type MailboxChange<Message extends SeenMessage = SeenMessage> =
  | { readonly kind: "received"; readonly message: Message }
  | { readonly kind: "deleted"; readonly message: SeenMessage }
  | { readonly kind: "flags_changed"; readonly message: SeenMessage };

/** What is to be announced, and what is to be written down together with that. */
export interface MailboxSync<Message extends SeenMessage = SeenMessage> {
  readonly cursor: MailboxCursor;
  readonly changes: ReadonlyArray<MailboxChange<Message>>;
  /** Whether `remember` is all there is, in place of what was seen. */
  readonly reset: boolean;
  readonly remember: ReadonlyArray<SeenMessage>;
  readonly forget: ReadonlyArray<number>;
}

/** What a mailbox's observation means to whoever followed it so far (spec 7). Applied twice it announces once. */
export const syncMailbox = <Message extends SeenMessage>(
  known: KnownMailbox | null,
  observed: MailboxObservation<Message>,
): MailboxSync<Message> => {
  const { cursor, arrived } = observed;
  const same = known?.cursor.uidValidity === cursor.uidValidity;
  if (known === null || (!same && !known.complete)) {
    return { cursor, changes: [], reset: true, remember: arrived, forget: [] };
  }
  if (!same) {
    const { unseen, missing } = matchFingerprints(arrived, [...known.seen.values()]);
    const changes = [...missing.map(deleted), ...unseen.toSorted(byUid).map(received)];
    return { cursor, changes, reset: true, remember: arrived, forget: [] };
  }

  // A message that was seen and is looked at again is no arrival, whatever UIDNEXT said.
  const fresh = arrived.filter(({ uid }) => uid >= known.cursor.uidNext && !known.seen.has(uid)).toSorted(byUid);
  const furthest = {
    ...cursor,
    uidNext: Math.max(cursor.uidNext, known.cursor.uidNext, highest(arrived) + 1),
  };
  if (!known.complete) {
    return { cursor: furthest, changes: fresh.map(received), reset: true, remember: arrived, forget: [] };
  }
  const gone = observed.vanished.flatMap((uid) => known.seen.get(uid) ?? []);
  const goneUids = new Set(gone.map(({ uid }) => uid));
  const changed = observed.flags.flatMap(({ uid, ...flags }) => {
    const seen = known.seen.get(uid);
    return seen === undefined || goneUids.has(uid) || sameFlags(seen, flags) ? [] : [{ ...seen, ...flagsOf(flags) }];
  });
  return {
    cursor: furthest,
    changes: [...gone.map(deleted), ...changed.map(flagsChanged), ...fresh.map(received)],
    reset: false,
    remember: [...changed, ...fresh],
    forget: gone.map(({ uid }) => uid),
  };
};

/** The order of arrival, in which events are told. A server may answer a FETCH in any order. */
const byUid = (one: SeenMessage, other: SeenMessage): number => one.uid - other.uid;

const received = <Message extends SeenMessage>(message: Message): MailboxChange<Message> => ({
  kind: "received",
  message,
});
const deleted = (message: SeenMessage): MailboxChange<never> => ({ kind: "deleted", message });
const flagsChanged = (message: SeenMessage): MailboxChange<never> => ({ kind: "flags_changed", message });

const flagsOf = ({ unread, flagged, answered }: MessageFlags): MessageFlags => ({ unread, flagged, answered });

const sameFlags = (a: MessageFlags, b: MessageFlags): boolean =>
  a.unread === b.unread && a.flagged === b.flagged && a.answered === b.answered;

const highest = (messages: ReadonlyArray<SeenMessage>): number =>
  messages.reduce((most, { uid }) => Math.max(most, uid), 0);
