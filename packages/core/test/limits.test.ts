import { Duration } from "effect";
import { expect, it } from "vitest";
import { LOG_KEPT } from "../src/accounts/protocol-log/AccountProtocolLog.ts";
import { LOG_BOUNDS, UNWRITTEN_BOUNDS } from "../src/accounts/protocol-log/protocol-lines.ts";
import { LEFT_LIFETIME } from "../src/arrivals/recognise-messages.ts";
import { MAX_FAILURE_WINDOW, SUCCESS_REMEMBERED } from "../src/auth/LoginThrottle.ts";
import * as sessions from "../src/auth/session-state.ts";
import { KEY_ID_BITS, KEY_SECRET_BITS } from "../src/auth/KeyAuthentication.ts";
import { WRONG_KEY_WINDOW } from "../src/auth/wrong-keys.ts";
import { SUBJECT_WINDOW } from "../src/bounces/match.ts";
import { MAX_DIAGNOSTIC_CHARS, MAX_REPORTED_RECIPIENTS } from "../src/bounces/Report.ts";
import { CREATION_LEASE, KEY_LIFETIME, MAX_KEY_CHARS } from "../src/creations/limits.ts";
import * as drafts from "../src/drafts/limits.ts";
import { MAX_BODY_BYTES } from "../src/events/write-event.ts";
import { KEPT_MILLIS } from "../src/events/neighbours.ts";
import { MAX_ADDRESSES, MAX_NESTING, MAX_PART_CHARS, MAX_PARTS, MAX_SHOWN_CHARS } from "../src/mail/index.ts";
import { DEFAULT_LIMIT, MAX_HEADER_BYTES, MAX_LIMIT } from "../src/messages/index.ts";
import { MAX_BATCH } from "../src/messages/rules.ts";
import { APP_PAUSE } from "../src/oauth/grant-state.ts";
import { LINK_LIFETIME } from "../src/oauth/ConnectLinks.ts";
import { MAX_LIFETIME_SECONDS } from "../src/oauth/ports/AuthorizationServer.ts";
import * as sending from "../src/send/limits.ts";
import { HOLD_LIFETIME, MAX_PAUSE, PAUSE_CHECK } from "../src/send/outgoing/outgoing-state.ts";
import { MAIL_RETRIES } from "../src/send/index.ts";
import { PROBE_EVERY } from "../src/send/outgoing/ServerOutages.ts";
import { MAX_FAULTS } from "../src/shared/field-faults.ts";
import { RETRY_LADDER } from "../src/shared/index.ts";
import { ROWS_AT_ONCE } from "../src/shared/neighbours.ts";
import { MAX_ADDRESS_CHARS } from "../src/shared/rules.ts";
import { WATCHED_FOR } from "../src/watch/WatchStarter.ts";
import { MAX_ENDPOINTS } from "../src/webhooks/index.ts";
import { MAX_IN_FLIGHT } from "../src/webhooks/rules.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

// The limits that the specification promises, in its words.
it.each<[string, number, number]>([
  ["recipients of a message", sending.MAX_RECIPIENTS, 100],
  ["files of a message", sending.MAX_ATTACHMENTS, 20],
  ["bytes of a file", sending.MAX_ATTACHMENT_BYTES, 25 * MIB],
  ["bytes of the files in a request", sending.MAX_CONTENT_BYTES, 5 * MIB],
  ["bytes of a message on the wire", sending.MAX_MESSAGE_BYTES, 35 * MIB],
  ["characters of a header", sending.MAX_HEADER_CHARS, 998],
  ["headers of a message", sending.MAX_HEADERS, 50],
  ["references of a message", sending.MAX_REFERENCES, 100],
  ["messages of an account in flight", sending.MAX_IN_FLIGHT_PER_ACCOUNT, 5],
  ["senders of an account", sending.MAX_IDENTITIES, 100],
  ["bytes of the files in an account's drafts", drafts.MAX_STORED_BYTES, 1024 * MIB],
  ["drafts in a list", drafts.MAX_LISTED, 200],
  ["messages on a page", MAX_LIMIT, 200],
  ["messages on a page unless the client says", DEFAULT_LIMIT, 20],
  ["messages of a batch", MAX_BATCH, 1_000],
  ["bytes read of a header", MAX_HEADER_BYTES, 256 * KIB],
  ["addresses shown of a field", MAX_ADDRESSES, 200],
  ["characters shown of a subject", MAX_SHOWN_CHARS, 1_000],
  ["characters read of a part", MAX_PART_CHARS, 64 * KIB],
  ["parts read of a message", MAX_PARTS, 50],
  ["messages within messages", MAX_NESTING, 2],
  ["characters of an address", MAX_ADDRESS_CHARS, 320],
  ["recipients of a bounce", MAX_REPORTED_RECIPIENTS, 50],
  ["characters of a diagnostic", MAX_DIAGNOSTIC_CHARS, 500],
  ["bytes of an event", MAX_BODY_BYTES, 64 * KIB],
  ["endpoints of an account", MAX_ENDPOINTS, 100],
  ["requests in flight to an account's endpoint", MAX_IN_FLIGHT.Account, 10],
  ["requests in flight to an application's endpoint", MAX_IN_FLIGHT.Application, 32],
  ["characters of an idempotency key", MAX_KEY_CHARS, 256],
  ["faults reported of a request", MAX_FAULTS, 100],
  ["rows deleted in one transaction", ROWS_AT_ONCE, 50],
  ["bytes of an account's protocol log", LOG_BOUNDS.bytes, MIB],
  ["lines of an account's protocol log", LOG_BOUNDS.lines, 10_000],
  ["bytes of a protocol log not written yet", UNWRITTEN_BOUNDS.bytes, 256 * KIB],
  ["lines of a protocol log not written yet", UNWRITTEN_BOUNDS.lines, 2_000],
  ["bits of a key's id", KEY_ID_BITS, 96],
  ["bits of a key's secret", KEY_SECRET_BITS, 256],
])("the limit of %s is %d", (_, limit, promised) => expect(limit).toBe(promised));

it.each<[string, Duration.Input, Duration.Input]>([
  ["an upload is kept", sending.UPLOAD_LIFETIME, "1 day"],
  ["an upload may be received", sending.UPLOAD_PATIENCE, "1 hour"],
  ["a finished message is kept", sending.FINISHED_LIFETIME, "30 days"],
  ["a message may be scheduled ahead", sending.MAX_SCHEDULE, "366 days"],
  ["the link that verifies an alias is valid", sending.VERIFICATION_LIFETIME, "7 days"],
  ["a message is leased", sending.LEASE, "30 seconds"],
  ["a lease of a message lasts until it is renewed", sending.RENEW_EVERY, "10 seconds"],
  ["a message of a deleted key is held", HOLD_LIFETIME, "30 days"],
  ["a message waits for a new credential", MAX_PAUSE, "1 day"],
  ["a paused message waits until its credential is checked", PAUSE_CHECK, "5 minutes"],
  ["a mail server that is down is left alone", PROBE_EVERY, "30 seconds"],
  ["a message waits until it is reported as delayed", MAIL_RETRIES.delayedAfter, "4 hours"],
  ["a message is tried", MAIL_RETRIES.expiresAfter, "4 days"],
  ["a sent draft answers repeated requests", drafts.SENT_LIFETIME, "30 days"],
  ["an event is kept", KEPT_MILLIS, "14 days"],
  ["an idempotency key is kept", KEY_LIFETIME, "1 day"],
  ["a creation may take", CREATION_LEASE, "2 minutes"],
  ["an access token is valid", sessions.ACCESS_LIFETIME, "1 hour"],
  ["a refresh token is valid", sessions.REFRESH_LIFETIME, "30 days"],
  ["a session lasts", sessions.SESSION_LIFETIME, "90 days"],
  ["a session of a browser lasts unused", sessions.COOKIE_IDLE_LIFETIME, "24 hours"],
  ["a session of a browser lasts", sessions.COOKIE_LIFETIME, "30 days"],
  ["a session of a host application lasts unused", sessions.HOST_IDLE_LIFETIME, "30 days"],
  ["an earlier refresh token still works", sessions.REFRESH_GRACE, "30 seconds"],
  ["a failed sign-in counts", MAX_FAILURE_WINDOW, "1 day"],
  ["an account is known in a network", SUCCESS_REMEMBERED, "30 days"],
  ["a wrong key counts", WRONG_KEY_WINDOW, "15 minutes"],
  ["a link to connect a mailbox is valid", LINK_LIFETIME, "10 minutes"],
  ["an app whose secret is refused is left alone", APP_PAUSE, "1 minute"],
  ["a token of an authorization server may last", MAX_LIFETIME_SECONDS * 1_000, "30 days"],
  ["a message that left its folder is remembered", LEFT_LIFETIME, "90 days"],
  ["a bounce is matched by its subject", SUBJECT_WINDOW, "7 days"],
  ["a protocol log is kept", LOG_KEPT, "1 day"],
  ["an account is watched without a reason", WATCHED_FOR, "1 minute"],
])("the time that %s is right", (_, time, promised) => {
  expect(Duration.toMillis(time)).toBe(Duration.toMillis(promised));
});

it("mail and webhooks are retried on their ladders", () => {
  const inMinutes = (delays: ReadonlyArray<number>) => delays.map((millis) => millis / 60_000);
  expect(inMinutes(MAIL_RETRIES.delays)).toEqual([1, 5, 15, 30, 60, 120]);
  expect(inMinutes(RETRY_LADDER)).toEqual([1, 5, 15, 60, 360]);
});
