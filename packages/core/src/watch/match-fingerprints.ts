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
  let unseen = present;
  let missing = seen;
  for (const keyOf of [byEmailId, byContentAndDate, byContent]) {
    ({ unseen, missing } = pairBy(keyOf, unseen, missing));
  }
  return { unseen, missing };
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
) => {
  const waiting = Map.groupBy(seen, keyOf);
  waiting.delete(null);
  const paired = new Set<Seen>();
  const unseen = present.filter((one) => {
    const candidates = waiting.get(keyOf(one)) ?? [];
    const index = candidates.findLastIndex((seen) => mayBeOne(one, seen));
    if (index >= 0) paired.add(candidates.splice(index, 1)[0]!);
    return index < 0;
  });
  return { unseen, missing: seen.filter((one) => !paired.has(one)) };
};
