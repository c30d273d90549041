import { Duration } from "effect";

/** The maximum size in bytes of the files in all drafts of an account. */
export const MAX_STORED_BYTES = 1024 * 1024 * 1024;
/** The maximum number of messages that a listing of drafts reads. */
export const MAX_LISTED = 200;
/** How long a sent draft is kept to answer repeated requests to send it. */
export const SENT_LIFETIME = Duration.days(30);
