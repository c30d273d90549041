import { Schema } from "effect";

/** Another node watches the account now; this node's results are discarded. */
export class WatchLost extends Schema.TaggedError<WatchLost>()("WatchLost", {}) {}
