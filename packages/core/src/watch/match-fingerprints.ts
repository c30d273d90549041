import type { Fingerprint, SeenMessage } from "./SeenMessage.ts";

/**
 * Pairs the present messages with the messages known before (spec 7): by EMAILID if both have one, or else by Message-ID
 * and size, equal INTERNALDATE first. A message with neither EMAILID nor Message-ID must also have an equal
 * INTERNALDATE, because its size alone says little. Each message is in at most one pair. Returns the present messages
 * without a pair, in order, and the known messages without a pair.
 */
export const matchFingerprints = <Present extends Fingerprint, Seen extends Fingerprint>(
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
): { readonly unseen: ReadonlyArray<Present>; readonly missing: ReadonlyArray<Seen> } => {
  const pairs = new Map<Present, Seen>();
  for (const keyOf of [byEmailId, byContentAndDate, byMessageId]) pairBy(keyOf, present, seen, pairs);
  const paired = new Set(pairs.values());
  return { unseen: present.filter((one) => !pairs.has(one)), missing: seen.filter((one) => !paired.has(one)) };
};

/**
 * Pairs messages like `matchFingerprints`, but messages with neither EMAILID nor Message-ID by their size alone if no
 * INTERNALDATE is equal. Of equal seen messages, the last is paired first.
 */
export const pairFingerprints = <Present extends Fingerprint, Seen extends Fingerprint>(
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
): ReadonlyMap<Present, Seen> => {
  const pairs = new Map<Present, Seen>();
  for (const keyOf of [byEmailId, byContentAndDate, byContent]) pairBy(keyOf, present, seen, pairs);
  return pairs;
};

/**
 * Returns the arrivals and departures that are moves of one message (spec 7.11), by the arrival. Of equal messages,
 * those with equal flags are paired first. A message with neither EMAILID nor Message-ID must also have an equal
 * INTERNALDATE, because its size alone says little.
 */
export const pairMoves = <Arrived extends SeenMessage, Left extends SeenMessage>(
  arrived: ReadonlyArray<Arrived>,
  left: ReadonlyArray<Left>,
): ReadonlyMap<Arrived, Left> => pairByFlags([byEmailId, byContentAndDate, byMessageId], arrived, left);

/**
 * Pairs the messages of a mailbox with a new UIDVALIDITY and the messages seen in it before, like `pairFingerprints`.
 * Of equal messages, those with equal flags are paired first.
 */
export const pairRenumbered = <Present extends SeenMessage, Seen extends SeenMessage>(
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
): ReadonlyMap<Present, Seen> => pairByFlags([byEmailId, byContentAndDate, byContent], present, seen);

/** Returns whether two messages have equal contents: copies, or one message seen twice. */
export const isAlike = (one: Fingerprint, other: Fingerprint): boolean =>
  one.emailId !== null && other.emailId !== null
    ? one.emailId === other.emailId
    : byContent(one) === byContent(other) && (one.messageId !== null || one.arrivedAt === other.arrivedAt);

const pairByFlags = <Present extends SeenMessage, Seen extends SeenMessage>(
  keys: ReadonlyArray<KeyOf>,
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
): ReadonlyMap<Present, Seen> => {
  const pairs = new Map<Present, Seen>();
  for (const keyOf of keys) {
    const withFlags: KeyOf<SeenMessage> = (one) => {
      const key = keyOf(one);
      return key === null ? null : `${key} ${one.unread} ${one.flagged} ${one.answered}`;
    };
    pairBy(withFlags, present, seen, pairs);
    pairBy(keyOf, present, seen, pairs);
  }
  return pairs;
};

type KeyOf<Message = Fingerprint> = (one: Message) => string | null;

const byEmailId: KeyOf = ({ emailId }) => emailId;
const byContent: KeyOf = ({ messageId, size }) => `${size} ${messageId ?? ""}`;
const byMessageId: KeyOf = (one) => (one.messageId === null ? null : byContent(one));
const byContentAndDate: KeyOf = (one) => `${one.arrivedAt} ${byContent(one)}`;

/** Returns whether two fingerprints may be of the same message. Different EMAILIDs mean different messages. */
const mayBeOne = (a: Fingerprint, b: Fingerprint): boolean =>
  a.emailId === null || b.emailId === null || a.emailId === b.emailId;

const pairBy = <Present extends Fingerprint, Seen extends Fingerprint>(
  keyOf: KeyOf<Present | Seen>,
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
  pairs: Map<Present, Seen>,
): void => {
  const paired = new Set(pairs.values());
  const waiting = Map.groupBy(
    seen.filter((one) => !paired.has(one)),
    keyOf,
  );
  waiting.delete(null);
  for (const one of present) {
    if (pairs.has(one)) continue;
    const candidates = waiting.get(keyOf(one)) ?? [];
    const index = candidates.findLastIndex((seen) => mayBeOne(one, seen));
    if (index >= 0) pairs.set(one, candidates.splice(index, 1)[0]!);
  }
};
