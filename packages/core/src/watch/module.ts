import { Effect, Layer } from "effect";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { LiveInboxes } from "./LiveInboxes.ts";
import { OwnMoves } from "./OwnMoves.ts";
import { AccountWatches } from "./ports/AccountWatches.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { WatchStarter } from "./WatchStarter.ts";

const data = Effect.gen(function* () {
  const mailboxes = yield* FollowedMailboxes;
  const watches = yield* AccountWatches;
  return {
    name: "watch",
    // The first slice removes the cursors; later slices erase the seen messages.
    erase: (account) => Effect.andThen(watches.erase(account), mailboxes.erase(account, ROWS_AT_ONCE)),
    eraseSlice: mailboxes.erase,
  } satisfies AccountData;
});

/** The domain of watching: the watched accounts and the known state of their mailboxes. */
export const watch = { layer: Layer.mergeAll(WatchStarter.layer, OwnMoves.layer, LiveInboxes.layer), data };
