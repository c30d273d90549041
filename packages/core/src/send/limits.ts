import { Duration } from "effect";

/** Limits of sending (spec 6). Sizes in bytes. */
export const MAX_RECIPIENTS = 100;
export const MAX_ATTACHMENTS = 20;
export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024;
/** How long an upload may be used, and how long one may take to come in before it is given up. */
export const UPLOAD_LIFETIME = Duration.days(1);
export const UPLOAD_PATIENCE = Duration.hours(1);
/** How long a message is remembered once nothing is left to do: bounces may come late. */
export const FINISHED_LIFETIME = Duration.days(30);
/** A message as it goes over the wire. */
export const MAX_MESSAGE_BYTES = 35 * 1024 * 1024;
/** RFC 5322, 2.1.1: a line, so also a header value before it is folded. */
export const MAX_HEADER_CHARS = 998;
export const MAX_HEADERS = 50;
export const MAX_REFERENCES = 100;
/** How far ahead a message may be scheduled. */
export const MAX_SCHEDULE = Duration.days(366);
/** How long a message is leased, and how often a lease is renewed: a process that died holds a message up for so long. */
export const LEASE = Duration.seconds(30);
export const RENEW_EVERY = Duration.seconds(10);
/** Messages of one account that are claimed at a time, so that the others of a process's 50 are left to other accounts. */
export const MAX_IN_FLIGHT_PER_ACCOUNT = 5;
/** Longest `Idempotency-Key`, and how long one is remembered. */
export const MAX_KEY_CHARS = 256;
export const KEY_LIFETIME = Duration.days(1);
