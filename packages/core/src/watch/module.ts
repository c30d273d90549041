import { Effect, Layer } from "effect";
import { type AccountData, ROWS_AT_ONCE } from "../shared/index.ts";
import { OwnMoves } from "./OwnMoves.ts";
import { AccountWatches } from "./ports/AccountWatches.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { WatchStarter } from "./WatchStarter.ts";

const data = Effect.gen(function* () {
  const mailboxes = yield* FollowedMailboxes;
  const watches = yield* AccountWatches;
  return {
    name: "watch",
    // The mailboxes are gone with the first slice; what was seen in them follows.
    erase: (account) => Effect.andThen(watches.erase(account), mailboxes.erase(account, ROWS_AT_ONCE)),
    eraseSlice: mailboxes.erase,
  } satisfies AccountData;
});

/** Which accounts are watched, and what is known of their mailboxes. */
export const watch = { layer: Layer.merge(WatchStarter.layer, OwnMoves.layer), data };
