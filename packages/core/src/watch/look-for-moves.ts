import { Clock, Duration, Effect } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { MailboxKey } from "../shared/neighbours.ts";
import { byMailbox, locationKey } from "./left-locations.ts";
import { pairFingerprints } from "./match-fingerprints.ts";
import type { FoundFingerprints, MessageFingerprints, WantedUids } from "./ports/MessageFingerprints.ts";
import type { BegunMove, MovedMessages } from "./ports/MovedMessages.ts";

/** Returns the messages of a mailbox; none if the mailbox does not exist. */
export const messagesIn = (
  fingerprints: MessageFingerprints["Service"],
  account: AccountId,
  path: string,
  uids: WantedUids,
): Effect.Effect<FoundFingerprints, MailboxAccessError> =>
  Effect.catchTag(fingerprints.of(account, path, uids), ["FolderNotFound", "FolderNotSelectable"], () =>
    Effect.succeed({ uidValidity: 0, messages: [] }),
  );

/**
 * Pairs the messages that left for a mailbox with messages found there, those whose lowest possible UID is the highest
 * first. Equal messages are paired in the order of their UIDs, which a move keeps. A server without MOVE may already
 * have copied messages that still wait to leave, so their copies are expected too.
 */
export const findMoved = (
  found: FoundFingerprints["messages"],
  left: ReadonlyArray<BegunMove>,
  waiting: ReadonlyArray<BegunMove>,
): ReadonlyArray<{ readonly move: BegunMove; readonly uid: number }> => {
  const pairsOf = (moves: ReadonlyArray<BegunMove>) => {
    const free = new Set(found.toSorted((one, other) => one.uid - other.uid));
    const byLowest = Map.groupBy(
      moves.toSorted((one, other) => other.lowestUid - one.lowestUid || other.from.uid - one.from.uid),
      ({ lowestUid }) => lowestUid,
    );
    return [...byLowest].flatMap(([lowestUid, some]) => {
      const pairs = [
        ...pairFingerprints(
          [...free].filter(({ uid }) => uid >= lowestUid),
          some,
        ),
      ];
      for (const [message] of pairs) free.delete(message);
      return pairs.flatMap(([{ uid }, move]) => (left.includes(move) ? [{ move, uid }] : []));
    });
  };
  const withCopies = pairsOf([...left, ...waiting]);
  return withCopies.length === left.length ? withCopies : pairsOf(left);
};

/**
 * Looks for the messages of begun moves, first in the source folder, then in the destination. Settles the moves whose
 * messages are in the destination, and gives up moves that did not happen within `patience`.
 */
export const lookForMoves = Effect.fnUntraced(function* (
  on: { readonly fingerprints: MessageFingerprints["Service"]; readonly moved: MovedMessages["Service"] },
  account: AccountId,
  pathOf: (folderId: MailboxKey) => string | undefined,
  patience: Duration.Duration,
) {
  const { fingerprints, moved } = on;
  const begun = yield* moved.listBegun(account);
  if (begun.length === 0) return;
  const now = yield* Clock.currentTimeMillis;
  const there = new Set<string>();
  for (const { uids, ...place } of byMailbox(begun.map(({ from }) => from))) {
    const path = pathOf(place.folderId);
    const found = path === undefined ? undefined : yield* messagesIn(fingerprints, account, path, uids);
    if (found?.uidValidity !== place.uidValidity) continue;
    for (const { uid } of found.messages) there.add(locationKey({ ...place, uid }));
  }
  const isThere = ({ from }: BegunMove) => there.has(locationKey(from));
  const waiting = begun.filter(isThere);
  const arrivals = Map.groupBy(
    begun.filter((move) => !isThere(move)),
    ({ toFolderId }) => toFolderId,
  );
  const settled = new Set<BegunMove>();
  for (const [folderId, moves] of arrivals) {
    const path = pathOf(folderId);
    if (path === undefined) continue;
    const from = Math.min(...moves.map(({ lowestUid }) => lowestUid));
    const { uidValidity, messages } = yield* messagesIn(fingerprints, account, path, { from });
    const places = [{ folderId, uidValidity, uids: messages.map(({ uid }) => uid) }];
    const taken = new Set((yield* moved.find(account, places)).left.map((one) => locationKey(one.now)));
    const free = messages.filter(({ uid }) => !taken.has(locationKey({ folderId, uidValidity, uid })));
    const found = findMoved(
      free,
      moves,
      waiting.filter((move) => move.toFolderId === folderId),
    );
    const settle = found.map(({ move, uid }) => ({ from: move.from, now: { folderId, uidValidity, uid } }));
    if (settle.length > 0) yield* moved.settle(account, settle, now);
    for (const { move } of found) settled.add(move);
  }
  const isOver = ({ begunAt }: BegunMove) => begunAt + Duration.toMillis(patience) < now;
  const over = begun.filter((move) => !settled.has(move) && isOver(move));
  if (over.length > 0) yield* moved.giveUp(account, over);
});
