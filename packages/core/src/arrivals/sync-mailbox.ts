import type { MailboxCursor } from "./MailboxCursor.ts";
import { matchFingerprints } from "./match-fingerprints.ts";
import type { MessageFlags, SeenMessage } from "./SeenMessage.ts";

/** A mailbox as it was looked at. What is left out did not change. */
export interface MailboxObservation {
  readonly cursor: MailboxCursor;
  /** Every message at or above the known UIDNEXT; all there are where the UIDVALIDITY is another, or nothing is known. */
  readonly arrived: ReadonlyArray<SeenMessage>;
  /** Of the messages that were seen, under the same UIDVALIDITY: those that are gone, … */
  readonly vanished: ReadonlyArray<number>;
  /** … and the flags of those that may have changed. */
  readonly flags: ReadonlyArray<MessageFlags & { readonly uid: number }>;
}

/** What happened to a message of a mailbox. UIDs of the vanished are under the UIDVALIDITY before. */
export type MailboxChange =
  | { readonly kind: "received"; readonly message: SeenMessage }
  | { readonly kind: "deleted"; readonly message: SeenMessage }
  | { readonly kind: "flags_changed"; readonly message: SeenMessage };

/** What is to be announced, and what is to be written down together with that. */
export interface MailboxSync {
  readonly cursor: MailboxCursor;
  readonly changes: ReadonlyArray<MailboxChange>;
  /** Whether what was seen is under a UIDVALIDITY that is over: `remember` is then all there is. */
  readonly reset: boolean;
  readonly remember: ReadonlyArray<SeenMessage>;
  readonly forget: ReadonlyArray<number>;
}

/** What a mailbox's observation means to whoever followed it so far (decisions 7). Applied twice it announces once. */
export const syncMailbox = (
  known: { readonly cursor: MailboxCursor; readonly seen: ReadonlyMap<number, SeenMessage> } | null,
  observed: MailboxObservation,
): MailboxSync => {
  const { cursor, arrived } = observed;
  if (known === null) return { cursor, changes: [], reset: true, remember: arrived, forget: [] };
  if (known.cursor.uidValidity !== cursor.uidValidity) {
    const { unseen, missing } = matchFingerprints(arrived, [...known.seen.values()]);
    const changes = [...missing.map(deleted), ...unseen.map(received)];
    return { cursor, changes, reset: true, remember: arrived, forget: [] };
  }

  // A message that was seen and is looked at again is no arrival, whatever UIDNEXT said.
  const fresh = arrived.filter(({ uid }) => uid >= known.cursor.uidNext && !known.seen.has(uid));
  const gone = observed.vanished.flatMap((uid) => known.seen.get(uid) ?? []);
  const goneUids = new Set(gone.map(({ uid }) => uid));
  const changed = observed.flags.flatMap(({ uid, ...flags }) => {
    const seen = known.seen.get(uid);
    return seen === undefined || goneUids.has(uid) || sameFlags(seen, flags) ? [] : [{ ...seen, ...flagsOf(flags) }];
  });
  return {
    cursor: { ...cursor, uidNext: Math.max(cursor.uidNext, known.cursor.uidNext, ...fresh.map(({ uid }) => uid + 1)) },
    changes: [...gone.map(deleted), ...changed.map(flagsChanged), ...fresh.map(received)],
    reset: false,
    remember: [...changed, ...fresh],
    forget: gone.map(({ uid }) => uid),
  };
};

const received = (message: SeenMessage): MailboxChange => ({ kind: "received", message });
const deleted = (message: SeenMessage): MailboxChange => ({ kind: "deleted", message });
const flagsChanged = (message: SeenMessage): MailboxChange => ({ kind: "flags_changed", message });

const flagsOf = ({ unread, flagged, answered }: MessageFlags): MessageFlags => ({ unread, flagged, answered });

const sameFlags = (a: MessageFlags, b: MessageFlags): boolean =>
  a.unread === b.unread && a.flagged === b.flagged && a.answered === b.answered;
