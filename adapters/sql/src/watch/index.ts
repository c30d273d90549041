import { Layer } from "effect";
import { layer as AccountWatches } from "./AccountWatches.ts";
import { layer as FollowedMailboxes } from "./FollowedMailboxes.ts";

/** The stores of `watch`. */
export const layer = Layer.mergeAll(AccountWatches, FollowedMailboxes);
