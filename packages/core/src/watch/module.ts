import { Effect, Layer } from "effect";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { LiveInboxes } from "./LiveInboxes.ts";
import { OwnMoves } from "./OwnMoves.ts";
import { AccountWatches } from "./ports/AccountWatches.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { MovedMessages } from "./ports/MovedMessages.ts";
import { SenderBlocks } from "./ports/SenderBlocks.ts";
import { WatchStarter } from "./WatchStarter.ts";

const data = Effect.gen(function* () {
  const mailboxes = yield* FollowedMailboxes;
  const watches = yield* AccountWatches;
  const moved = yield* MovedMessages;
  const blocks = yield* SenderBlocks;
  return {
    name: "watch",
    // The first slice removes the cursors; later slices erase the seen messages.
    erase: (account) =>
      Effect.andThen(
        Effect.andThen(watches.erase(account), blocks.erase(account)),
        mailboxes.erase(account, ROWS_AT_ONCE),
      ),
    eraseSlice: (account, limit) =>
      Effect.zipWith(mailboxes.erase(account, limit), moved.erase(account, limit), (some, others) => some || others),
  } satisfies AccountData;
});

/** The domain of watching: the watched accounts and the known state of their mailboxes. */
export const watch = { layer: Layer.mergeAll(WatchStarter.layer, OwnMoves.layer, LiveInboxes.layer), data };
