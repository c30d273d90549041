import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { type AccountId, Entropy, type MessageRef, type StoreUnavailable } from "../shared/index.ts";
import type { MailboxKey } from "../shared/neighbours.ts";
import { lookForMoves, messagesIn } from "./look-for-moves.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { type FoundFingerprints, MessageFingerprints, type WantedUids } from "./ports/MessageFingerprints.ts";
import { MovedMessages } from "./ports/MovedMessages.ts";

/** How long the outcome of a move is looked for and its arrival expected. After that, the move counts as failed. */
const EXPECTED_FOR = Duration.minutes(10);

/** The mailbox of the messages to move. `folderId`, the key of the mailbox, is null if ids of its messages were never shown. */
export interface MoveSource {
  readonly folderId: MailboxKey | null;
  readonly uidValidity: number;
  readonly path: string;
}

/** The mailbox to which messages are moved. `uidNext` is a lower bound of its UIDNEXT; null if unknown. */
export interface MoveTarget {
  readonly key: MailboxKey;
  readonly uidNext: number | null;
}

/**
 * Records Postern's own moves, so that a moved message keeps its id (spec 5.2) and is not announced as an arrival (spec
 * 7). The messages are recorded before the command, and their new locations after it. After a crash or a lost response
 * in between, `look` finds the messages by their fingerprints.
 */
export class OwnMoves extends Context.Service<
  OwnMoves,
  {
    /** Reads the messages of a mailbox that will be moved. */
    readonly read: (
      account: AccountId,
      path: string,
      uids: WantedUids,
    ) => Effect.Effect<FoundFingerprints, MailboxAccessError>;
    /** Records a move of these messages before it is made. */
    readonly begin: (
      account: AccountId,
      from: MoveSource,
      found: FoundFingerprints,
      to: MoveTarget,
    ) => Effect.Effect<void, MailboxAccessError>;
    /** Records the new locations that the mail server reported. */
    readonly settle: (
      account: AccountId,
      from: MoveSource,
      toFolderId: MailboxKey,
      arrived: ReadonlyArray<{ readonly uid: number; readonly to: Omit<MessageRef, "folderId"> | null }>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Looks for the messages of begun moves, first in the source folder, then in the destination. Moves whose messages
     * are in the destination are settled; moves that did not happen within ten minutes are given up. `pathOf` returns
     * the path of a mailbox.
     */
    readonly look: (
      account: AccountId,
      pathOf: (folderId: MailboxKey) => string | undefined,
    ) => Effect.Effect<void, MailboxAccessError>;
  }
>()("@postern/core/watch/OwnMoves") {
  static readonly layer = Layer.effect(
    OwnMoves,
    Effect.gen(function* () {
      const fingerprints = yield* MessageFingerprints;
      const mailboxes = yield* FollowedMailboxes;
      const moved = yield* MovedMessages;
      const entropy = yield* Entropy;

      const begin: OwnMoves["Service"]["begin"] = Effect.fn("OwnMoves.begin")(function* (account, from, read, to) {
        const { uidValidity, messages } = read;
        if (messages.length === 0) return;
        const now = yield* Clock.currentTimeMillis;
        const found = messages.map(({ uid, emailId, messageId, size, arrivedAt }) => ({
          uid,
          fingerprint: { emailId, messageId, size, arrivedAt },
        }));
        const { folderId } = from;
        if (folderId !== null && uidValidity === from.uidValidity) {
          const begun = { toFolderId: to.key, lowestUid: to.uidNext ?? 1, begunAt: now };
          yield* moved.begin(
            account,
            found.map(({ uid, fingerprint }) => ({ ...fingerprint, ...begun, from: { folderId, uidValidity, uid } })),
          );
        }
        // Arrivals are announced only in INBOX. The account may become watched before the move is made.
        if (to.key !== "inbox" || Option.isNone(yield* mailboxes.find(account, to.key))) return;
        const until = now + Duration.toMillis(EXPECTED_FOR);
        const expected = yield* Effect.forEach(found, ({ fingerprint }) =>
          Effect.map(entropy.id(96), (id) => ({ ...fingerprint, id, until })),
        );
        yield* mailboxes.expect(account, to.key, expected);
      });

      const settle: OwnMoves["Service"]["settle"] = Effect.fn("OwnMoves.settle")(function* (
        account,
        { folderId, uidValidity },
        toFolderId,
        arrived,
      ) {
        if (folderId === null) return;
        const moves = arrived.flatMap(({ uid, to }) =>
          to === null ? [] : [{ from: { folderId, uidValidity, uid }, now: { folderId: toFolderId, ...to } }],
        );
        if (moves.length > 0) yield* moved.settle(account, moves, yield* Clock.currentTimeMillis);
      });

      const look = Effect.fn("OwnMoves.look")(
        (account: AccountId, pathOf: (folderId: MailboxKey) => string | undefined) =>
          lookForMoves({ fingerprints, moved }, account, pathOf, EXPECTED_FOR),
      );

      const read = Effect.fn("OwnMoves.read")((account: AccountId, path: string, uids: WantedUids) =>
        messagesIn(fingerprints, account, path, uids),
      );

      return OwnMoves.of({ read, begin, settle, look });
    }),
  );
}
