import { Duration } from "effect";

/** The maximum length of an `Idempotency-Key`, and how long a key is kept. */
export const MAX_KEY_CHARS = 256;
export const KEY_LIFETIME = Duration.days(1);
/**
 * The lease of a request that creates a resource on a mail server, and the interval at which the request renews it. If the process
 * of the request ended, a repeated request tries again after the lease.
 */
export const CREATION_LEASE = Duration.minutes(2);
export const RENEW_EVERY = Duration.seconds(30);
