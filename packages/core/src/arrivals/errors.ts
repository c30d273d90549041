import { Schema } from "effect";

/** Another node now watches the account; this node's results are discarded. */
export class WatchLost extends Schema.TaggedError<WatchLost>()("WatchLost", {}) {}

/** The account has no block with this id (404, spec 5.9). */
export class BlockNotFound extends Schema.TaggedError<BlockNotFound>()("BlockNotFound", {}) {}

/** The account has reached the maximum number of blocks (409, spec 5.9). */
export class TooManyBlocks extends Schema.TaggedError<TooManyBlocks>()("TooManyBlocks", {}) {}
