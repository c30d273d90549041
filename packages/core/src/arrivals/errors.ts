import { Schema } from "effect";

/** Another node watches the account now: what this one found out counts for nothing. */
export class WatchLost extends Schema.TaggedError<WatchLost>()("WatchLost", {}) {}
