import { Schema } from "effect";

/** The key was used for another request (422, spec 2.6). */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The first request with this key created a resource that was deleted since (422, spec 2.6). */
export class CreatedThenDeleted extends Schema.TaggedError<CreatedThenDeleted>()("CreatedThenDeleted", {}) {}

/** A request with the same key is in progress (409, spec 2.6). */
export class CreationInProgress extends Schema.TaggedError<CreationInProgress>()("CreationInProgress", {}) {}
