import { problem } from "./problem.ts";

/** 422: the key was used for another request (spec 2.6, 6.5). */
export class IdempotencyKeyReused extends problem<IdempotencyKeyReused>()(
  "idempotency_key_reused",
  422,
  "This Idempotency-Key was used for another request",
  "The first request with this key had another body. Send a different request with a new key.",
) {}

/** 409 with `Retry-After`: the first request with this key has no answer yet (spec 2.6). */
export class CreationInProgress extends problem<CreationInProgress>()(
  "creation_in_progress",
  409,
  "A request with this Idempotency-Key is in progress",
  "The first request with this key has no answer yet. Repeat the request after the seconds given in Retry-After to get what it created.",
) {}

/** The problems of a creation whose `Idempotency-Key` was used before. */
export const REPEAT_PROBLEMS = [IdempotencyKeyReused, CreationInProgress] as const;
