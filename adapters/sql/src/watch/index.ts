import { Layer } from "effect";
import { layer as AccountWatches } from "./AccountWatches.ts";
import { layer as FollowedMailboxes } from "./FollowedMailboxes.ts";
import { layer as MovedMessages } from "./MovedMessages.ts";
import { layer as SenderBlocks } from "./SenderBlocks.ts";

/** The stores of `watch`. */
export const layer = Layer.mergeAll(AccountWatches, FollowedMailboxes, MovedMessages, SenderBlocks);
