import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError } from "../mail/index.ts";
import { type AccountId, Entropy } from "../shared/index.ts";
import { AccountWatches } from "./ports/AccountWatches.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { MessageFingerprints } from "./ports/MessageFingerprints.ts";

/** How long a move is expected; after that it counts as failed. */
const EXPECTED_FOR = Duration.minutes(10);

/** Records Postern's own moves into a folder, which are not announced as arrivals (spec 7). */
export class OwnMoves extends Context.Service<
  OwnMoves,
  {
    /**
     * Records a move before it is made. `uids` are the messages to move, or all messages up to a UID. The record
     * survives a crash and is deleted when the messages arrive.
     */
    readonly expect: (
      account: AccountId,
      from: string,
      uids: ReadonlyArray<number> | { readonly upTo: number },
      toFolderId: string,
    ) => Effect.Effect<void, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
  }
>()("@postern/core/watch/OwnMoves") {
  static readonly layer = Layer.effect(
    OwnMoves,
    Effect.gen(function* () {
      const fingerprints = yield* MessageFingerprints;
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const entropy = yield* Entropy;

      const expect: OwnMoves["Service"]["expect"] = Effect.fn("OwnMoves.expect")(
        function* (account, from, uids, toFolderId) {
          // Arrivals are announced only in INBOX, and only while the account is watched.
          if (toFolderId !== "inbox") return;
          const now = yield* Clock.currentTimeMillis;
          const isFollowed = Option.isSome(yield* mailboxes.find(account, toFolderId));
          if (!isFollowed || !(yield* watches.extend(account, now))) return;
          const found = yield* fingerprints.of(account, from, uids);
          const expected = yield* Effect.forEach(found, ({ emailId, messageId, size, arrivedAt }) =>
            Effect.map(entropy.id(96), (id) => ({
              id,
              emailId,
              messageId,
              size,
              arrivedAt,
              until: now + Duration.toMillis(EXPECTED_FOR),
            })),
          );
          yield* mailboxes.expect(account, toFolderId, expected);
        },
      );

      return OwnMoves.of({ expect });
    }),
  );
}
