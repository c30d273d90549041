import { Duration } from "effect";

/** Limits of sending (spec 6). Sizes in bytes. */
export const MAX_RECIPIENTS = 100;
export const MAX_ATTACHMENTS = 20;
export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024;
/** The maximum size in bytes of all files that one request contains as base64. */
export const MAX_CONTENT_BYTES = 5 * 1024 * 1024;
/** The header field that marks a copy of a draft in the Drafts folder. Sent messages do not have it. */
export const DRAFT_HEADER = "X-Postern-Draft";
/** The header field of a message that an agent sent without a person's approval (spec 13.1). */
export const AGENT_HEADER = "X-Postern-Agent";
/** How long an upload can be used, and the maximum time of its transfer. */
export const UPLOAD_LIFETIME = Duration.days(1);
export const UPLOAD_PATIENCE = Duration.hours(1);
/** How long a finished message is kept, because bounces may arrive late. */
export const FINISHED_LIFETIME = Duration.days(30);
/** The maximum size of a message on the wire. */
export const MAX_MESSAGE_BYTES = 35 * 1024 * 1024;
/** The maximum length of a line (RFC 5322, 2.1.1), which limits a header value before folding. */
export const MAX_HEADER_CHARS = 998;
export const MAX_HEADERS = 50;
export const MAX_REFERENCES = 100;
/** The maximum time between a request and the scheduled sending. */
export const MAX_SCHEDULE = Duration.days(366);
/** The lease of a message, and the interval of its renewal. If a process dies, its messages are delayed by at most one lease. */
export const LEASE = Duration.seconds(30);
export const RENEW_EVERY = Duration.seconds(10);
/** The maximum number of messages of one account claimed at a time, so that one account cannot occupy all 50 slots of a process. */
export const MAX_IN_FLIGHT_PER_ACCOUNT = 5;
/** The maximum number of aliases of an account, and the lifetime of a verification link. */
export const MAX_IDENTITIES = 100;
export const VERIFICATION_LIFETIME = Duration.days(7);
