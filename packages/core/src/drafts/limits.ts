import { Duration } from "effect";

/** The maximum size in bytes of the files in all drafts of an account. */
export const MAX_STORED_BYTES = 1024 * 1024 * 1024;
/** How many drafts a listing considers. */
export const MAX_LISTED = 200;
/** How long a sent draft answers repeated requests to send it. */
export const SENT_LIFETIME = Duration.days(30);
