import { Duration } from "effect";

/** Longest `Idempotency-Key`, and how long a key is kept. */
export const MAX_KEY_CHARS = 256;
export const KEY_LIFETIME = Duration.days(1);
/** How long a request may take to create something on a mail server before a repeat tries it again. */
export const CREATION_LEASE = Duration.minutes(2);
