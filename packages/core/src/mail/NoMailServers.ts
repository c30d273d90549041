import { Schema } from "effect";

/** No mail servers are configured for the account, so nothing can be read or sent for it. */
export class NoMailServers extends Schema.TaggedError<NoMailServers>()("NoMailServers", {}) {}
