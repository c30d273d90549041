import { Effect } from "effect";
import type { AccountId, MessageRef, StoreUnavailable } from "../shared/index.ts";
import { byMailbox, readLocations } from "./left-locations.ts";
import type { MovedMessages } from "./ports/MovedMessages.ts";

/** The present location of each message and the location that its id encodes, and whether the account has moves of unknown outcome. */
export interface FollowedMoves {
  readonly found: ReadonlyArray<{ readonly now: MessageRef; readonly id: MessageRef } | undefined>;
  readonly isMoving: boolean;
}

/**
 * Follows locations through at most `steps` recorded moves. One step is enough unless an earlier release recorded the
 * moves.
 */
export const followMoves = Effect.fnUntraced(function* (
  moved: MovedMessages["Service"],
  account: AccountId,
  refs: ReadonlyArray<MessageRef | undefined>,
  steps: number,
): Effect.fn.Return<FollowedMoves, StoreUnavailable> {
  let found: FollowedMoves["found"] = refs.map((ref) => ref && { now: ref, id: ref });
  let isMoving = false;
  for (let step = 0; step < steps; step++) {
    const at = found.flatMap((one) => (one === undefined ? [] : [one.now]));
    const { left, ...about } = yield* moved.find(account, byMailbox(at));
    ({ isMoving } = about);
    const locate = readLocations(left);
    const before = found;
    found = before.map((one) => one && locate(one.now));
    if (found.every((one, n) => one?.now === before[n]?.now)) break;
  }
  return { found, isMoving };
});
