import { Schema } from "effect";

/** The account has no mail servers, so nothing can be read or sent for it. */
export class NoMailServers extends Schema.TaggedError<NoMailServers>()("NoMailServers", {}) {}
