import { Duration } from "effect";

/** The maximum length of an `Idempotency-Key`, and how long a key is kept. */
export const MAX_KEY_CHARS = 256;
export const KEY_LIFETIME = Duration.days(1);
/** How long a request may take to create a resource on a mail server. After that, a repeated request tries again. */
export const CREATION_LEASE = Duration.minutes(2);
