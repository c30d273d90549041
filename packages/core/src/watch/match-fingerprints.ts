import type { Fingerprint } from "./SeenMessage.ts";

/**
 * Pairs the present messages with the messages seen before a UIDVALIDITY reset (spec 7): by EMAILID if both have one,
 * otherwise by Message-ID and size, equal INTERNALDATE first. Each message is in at most one pair. Returns the present
 * messages without a pair, in order, and the seen messages without a pair.
 */
export const matchFingerprints = <Present extends Fingerprint, Seen extends Fingerprint>(
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
): { readonly unseen: ReadonlyArray<Present>; readonly missing: ReadonlyArray<Seen> } => {
  const pairs = pairFingerprints(present, seen);
  const paired = new Set(pairs.values());
  return { unseen: present.filter((one) => !pairs.has(one)), missing: seen.filter((one) => !paired.has(one)) };
};

/** Returns the pairs of `matchFingerprints`, by the present message. Of equal seen messages, the last is paired first. */
export const pairFingerprints = <Present extends Fingerprint, Seen extends Fingerprint>(
  present: ReadonlyArray<Present>,
  seen: ReadonlyArray<Seen>,
): ReadonlyMap<Present, Seen> => {
  const pairs = new Map<Present, Seen>();
  for (const keyOf of [byEmailId, byContentAndDate, byContent]) pairBy(keyOf, present, seen, pairs);
  return pairs;
};

type KeyOf = (one: Fingerprint) => string | null;

const byEmailId: KeyOf = ({ emailId }) => emailId;
const byContent: KeyOf = ({ messageId, size }) => `${size} ${messageId ?? ""}`;
const byContentAndDate: KeyOf = (one) => `${one.arrivedAt} ${byContent(one)}`;

/** Different EMAILIDs mean different messages. */
const mayBeOne = (a: Fingerprint, b: Fingerprint): boolean =>
  a.emailId === null || b.emailId === null || a.emailId === b.emailId;

const pairBy = <Present extends Fingerprint, Seen extends Fingerprint>(
  keyOf: KeyOf,
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
