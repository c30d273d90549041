import { Schema } from "effect";

/** Another node watches the account now; this node's results are discarded. */
export class WatchLost extends Schema.TaggedError<WatchLost>()("WatchLost", {}) {}

/** The account has no block with this id (404, spec 5.9). */
export class BlockNotFound extends Schema.TaggedError<BlockNotFound>()("BlockNotFound", {}) {}

/** The account blocks as many senders as it may (409, spec 5.9). */
export class TooManyBlocks extends Schema.TaggedError<TooManyBlocks>()("TooManyBlocks", {}) {}
