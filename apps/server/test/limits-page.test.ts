import { readFileSync } from "node:fs";
import * as accounts from "@postern/core/accounts";
import * as auth from "@postern/core/auth";
import { MAX_ADDRESSES, MAX_ATTACHMENTS, MAX_SHOWN_CHARS, ReceiveBudget } from "@postern/core/mail";
import { DEFAULT_LIMIT, MAX_HEADER_BYTES, MAX_LIMIT } from "@postern/core/messages";
import { MAX_ATTACHMENT_BYTES } from "@postern/core/rules";
import { MAX_FAULTS } from "@postern/core/shared";
import * as send from "@postern/core/send";
import * as webhooks from "@postern/core/webhooks";
import { Duration, Effect } from "effect";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/settings/config.ts";
import { DEADLINES } from "../src/process/request-deadlines.ts";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The rows of the page: the name of a limit, and its number in the words of the page. */
const rows = [...read("docs/reference/limits.md").matchAll(/^\| (?!limit |-)([^|]+) \| ([^|]+) \|/gm)].map(
  ([, name, number]) => ({ name: name!, number: number! }),
);

const config = Effect.runSync(readConfig({}, false));

/** Returns a constant that its module does not export: a product, a duration, or a text such as `15 seconds`. */
const kept = (path: string, name: string): number => {
  const value = new RegExp(`\\b${name}(?:: \\w+)? ?[=:] ([\\d"D][^;,}\\n]*)`).exec(read(path))?.[1]?.trim() ?? "";
  const [, unit, length] = /^Duration\.(\w+)\((\d+)\)$/.exec(value) ?? [];
  if (unit !== undefined) return Duration.toMillis(`${Number(length)} ${unit}` as Duration.Input);
  if (value.startsWith('"')) return Duration.toMillis(JSON.parse(value) as Duration.Input);
  const product = value.split("*").reduce((all, factor) => all * Number(factor.replaceAll("_", "")), 1);
  if (Number.isNaN(product)) throw new Error(`${path} has no number ${name}`);
  return product;
};

const count = (value: number): string => value.toLocaleString("en");
const bytes = (value: number): string => (value % 1024 ** 2 === 0 ? `${value / 1024 ** 2} MiB` : `${value / 1024} KiB`);
const time = (
  value: Duration.Input,
  unit: "s" | "min" | "minute" | "minutes" | "seconds" | "hour" | "hours" | "days",
): string => {
  const size = { s: 1, min: 60, minute: 60, minutes: 60, seconds: 1, hour: 3_600, hours: 3_600, days: 86_400 }[unit];
  return `${Duration.toSeconds(value) / size} ${unit}`;
};

const short = (millis: number): string => (millis < 3_600_000 ? `${millis / 60_000}m` : `${millis / 3_600_000}h`);

const document = JSON.parse(read("packages/api/openapi.json"));
const field = (record: string, name: string) => document.components.schemas[record].properties[name];
const parameter = (path: string, name: string) =>
  document.paths[path].get.parameters.find((one: { readonly name: string }) => one.name === name).schema;
/** Returns the maximum length of a text, which its schema may have in an `allOf`. */
const length = (schema: object): string => count(Number(/"maxLength":(\d+)/.exec(JSON.stringify(schema))![1]));

const HTTP = "adapters/http-api/src";
const CORE = "packages/core/src";

const budget = (n: number): string => {
  const found = [...read(`${CORE}/auth/LoginThrottle.ts`).matchAll(/failures: (\d+)/g)][n];
  return found![1]!;
};

/** The informational responses that each adapter takes; they are the same. */
const informational = [
  "oauth/src/guarded-fetch.ts",
  "discovery/src/fetch-document.ts",
  "webhook-http/src/webhooks/WebhookSender.ts",
].map((path) => count(kept(`adapters/${path}`, "MAX_INFORMATIONAL")));

/** The numbers in the code, by the name of the limit on the page. */
const NUMBERS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "addresses of a host that are considered, of each family": [
    count(kept("adapters/egress/src/HostResolver.ts", "MAX_ADDRESSES")),
  ],
  "servers that a domain may name, by DNS or in a document": [
    count(kept("adapters/discovery/src/dns-records.ts", "MAX_RECORDS")),
    count(kept("adapters/discovery/src/autoconfig-document.ts", "MAX_SERVERS")),
  ],
  "informational responses (1xx) before the answer of a web server": informational,
  "JSON body": [bytes(kept(`${HTTP}/edge/refusals.ts`, "MAX_REQUEST_BYTES"))],
  "values in a JSON body": [count(kept(`${HTTP}/edge/excess-values.ts`, "MAX_VALUES"))],
  "header fields": [bytes(kept("apps/server/src/process/listen.ts", "maxHeaderSize"))],
  "time for the header fields to arrive": [time(kept("apps/server/src/process/listen.ts", "headersTimeout"), "s")],
  "time for a body to arrive": [
    time(DEADLINES.request, "s"),
    time(DEADLINES.upload, "min"),
    time(DEADLINES.uploadIdle, "s"),
  ],
  "requests in progress of an account, in a process": [count(kept(`${HTTP}/edge/InFlight.ts`, "ACCOUNT_SHARE"))],
  "requests in progress of a service key, in a process": [count(kept(`${HTTP}/edge/InFlight.ts`, "KEY_SHARE"))],
  "requests in progress in a process": [count(kept(`${HTTP}/edge/PublicAddress.ts`, "maxRequestsInFlight"))],
  "audit entries of a key's or grant's calls that wait for the database, in a process": [
    count(kept(`${CORE}/audit/call-lines.ts`, "MAX_WAITING")),
  ],
  "ids in the audit entry of a call": [count(kept(`${CORE}/audit/call-lines.ts`, "MAX_IDS"))],
  "faults in `errors`": [count(MAX_FAULTS)],
  page: [count(DEFAULT_LIMIT), count(MAX_LIMIT)],
  "page of another list": [count(kept(`${CORE}/shared/rules.ts`, "MAX_PAGE_ENTRIES"))],
  "page number": [count(parameter("/api/inbox", "page").maximum)],
  "request id of the client": /\{(\d+),(\d+)\}\$\//.exec(read(`${HTTP}/edge/Edge.ts`))!.slice(1),

  "access token": [time(kept(`${CORE}/auth/session-state.ts`, "ACCESS_LIFETIME"), "hour")],
  "refresh token": [time(kept(`${CORE}/auth/session-state.ts`, "REFRESH_LIFETIME"), "days")],
  "session with tokens": [time(kept(`${CORE}/auth/session-state.ts`, "SESSION_LIFETIME"), "days")],
  "used refresh token": [`${kept(`${CORE}/auth/session-state.ts`, "REFRESH_GRACE") / 1000} seconds`],
  "session cookie": [
    time(kept(`${CORE}/auth/session-state.ts`, "COOKIE_IDLE_LIFETIME"), "hours"),
    time(auth.COOKIE_LIFETIME, "days"),
  ],
  "session of the program that embeds the service": [
    time(kept(`${CORE}/auth/session-state.ts`, "HOST_IDLE_LIFETIME"), "days"),
  ],
  "failed sign-ins of an account from one network": [`${budget(0)} in 15 minutes`],
  "failed sign-ins of an account": [`${budget(1)} in 15 minutes`],
  "failed sign-ins from a network (an IPv4 address or IPv6 /64)": [`${budget(2)} a day`],
  "wrong keys from a network": [
    `${kept(`${CORE}/auth/wrong-keys.ts`, "MAX_WRONG_KEYS")} in ${time(kept(`${CORE}/auth/wrong-keys.ts`, "WRONG_KEY_WINDOW"), "minutes")}`,
  ],
  "protocol log of an account": [
    `${count(accounts.LOG_BOUNDS.lines)} lines and ${bytes(accounts.LOG_BOUNDS.bytes)}`,
    `each line ${count(kept(`${CORE}/accounts/protocol-log/protocol-lines.ts`, "MAX_CHARS"))} characters`,
  ],
  "a refused password": [time(kept(`${CORE}/auth/LoginThrottle.ts`, "SAME_PASSWORD"), "minutes")],
  "address, password": [length(field("Credentials", "email")), length(field("Credentials", "password"))],

  name: [`${kept(`${CORE}/folders/folder-name.ts`, "MAX_ENCODED_BYTES")} bytes`],
  depth: [`${kept(`${CORE}/folders/folder-place.ts`, "MAX_DEPTH")} levels`],
  "retries of a refused deletion": [time(kept(`${CORE}/folders/removal-failure.ts`, "TRIED_FOR"), "hours")],

  "ids of a batch, or messages found by its `query`": [
    count(field("MessageBatchRequest", "ids").allOf?.[0].maxItems ?? field("MessageBatchRequest", "ids").maxItems),
    count(kept(`${CORE}/messages/rules.ts`, "MAX_BATCH")),
  ],
  "text of a part": [
    bytes(kept(`${CORE}/messages/Messages.ts`, "MAX_BODY_BYTES")),
    bytes(kept(`${CORE}/messages/Messages.ts`, "MAX_BODIES_BYTES")),
  ],
  "addresses that a message shows, in `to` and in `cc` each": [count(MAX_ADDRESSES)],
  "characters of a subject, and of a person's name, shown": [count(MAX_SHOWN_CHARS)],
  "parsing of a possible report": [
    bytes(kept("adapters/mime/src/parsed-message.ts", "MAX_MESSAGE_BYTES")),
    count(kept("adapters/mime/src/parsed-message.ts", "MAX_LINES")),
  ],
  "characters of a header field shown": [count(kept(`${CORE}/messages/ReadMessage.ts`, "MAX_HEADER_CHARS"))],
  "search of folders": [
    `${/SEARCH_TIME = Duration\.seconds\((\d+)\)/.exec(read(`${CORE}/messages/Search.ts`))![1]!} s`,
  ],
  "attachments listed": [count(MAX_ATTACHMENTS)],
  "header fields read": [bytes(MAX_HEADER_BYTES)],
  parsing: [
    time(/timeout \?\? "(\d+ seconds)"/.exec(read("adapters/mime/src/MimeOptions.ts"))![1] as Duration.Input, "s"),
    `${/memory = (\d+)/.exec(read("adapters/mime/src/MimeOptions.ts"))![1]!} MiB`,
    `${kept("adapters/mime/src/Quarantine.ts", "MAX_FAILURES")} failures`,
  ],
  "conversation (`GET /api/threads/{id}`)": [count(kept(`${CORE}/messages/Threads.ts`, "MAX_MESSAGES"))],
  "search text": [length(parameter("/api/search", "text"))],
  "earlier locations of moved messages of an account, kept so that ids stay valid": [
    count(kept(`${CORE}/messages/MessageActions.ts`, "MAX_LEFT")),
  ],
  "earlier locations of one message, kept so that its earlier ids still find it": [
    count(kept("adapters/sql/src/watch/settle-moves.ts", "MAX_LOCATIONS")),
  ],

  "messages of an account": [`(${config.sendRates.perMinute})`, `(${count(config.sendRates.perDay)})`],
  "encoded message": [bytes(kept(`${CORE}/send/limits.ts`, "MAX_MESSAGE_BYTES"))],
  file: [bytes(MAX_ATTACHMENT_BYTES)],
  "files of a message": [count(kept(`${CORE}/send/limits.ts`, "MAX_ATTACHMENTS"))],
  "recipients (`to`, `cc` and `bcc` together)": [count(kept(`${CORE}/send/limits.ts`, "MAX_RECIPIENTS"))],
  address: [count(kept(`${CORE}/shared/rules.ts`, "MAX_ADDRESS_CHARS"))],
  "`X-` header fields of `headers`": [count(kept(`${CORE}/send/limits.ts`, "MAX_HEADERS"))],
  "`references`": [count(kept(`${CORE}/send/limits.ts`, "MAX_REFERENCES"))],
  "subject, and each header value": [count(kept(`${CORE}/send/limits.ts`, "MAX_HEADER_CHARS"))],
  "`sendAt`": [time(kept(`${CORE}/send/limits.ts`, "MAX_SCHEDULE"), "days")],
  "wait for the first attempt": [time(kept(`${CORE}/send/MessageSender.ts`, "PATIENCE"), "s")],
  "retries of a message": [
    new Intl.ListFormat("en-GB").format(config.sendRetries.delays.map((wait) => `${wait / 60_000}`)),
    time(config.sendRetries.expiresAfter, "days"),
  ],
  "message that waits to be sent": [time(config.sendRetries.delayedAfter, "hours")],
  "messages that wait for a mail server that is down": [
    time(kept(`${CORE}/send/outgoing/ServerOutages.ts`, "PROBE_EVERY"), "s"),
  ],
  "held message": [time(kept(`${CORE}/send/outgoing/outgoing-state.ts`, "HOLD_LIFETIME"), "days")],
  "`Idempotency-Key`": [
    count(kept(`${CORE}/creations/limits.ts`, "MAX_KEY_CHARS")),
    time(kept(`${CORE}/creations/limits.ts`, "KEY_LIFETIME"), "hours"),
  ],
  upload: [time(kept(`${CORE}/send/limits.ts`, "UPLOAD_LIFETIME"), "hours")],
  "`content` of attachments": [bytes(kept(`${CORE}/send/limits.ts`, "MAX_CONTENT_BYTES"))],
  "files of all drafts of an account": [`${kept(`${CORE}/drafts/limits.ts`, "MAX_STORED_BYTES") / 1024 ** 3} GiB`],
  "drafts listed": [count(kept(`${CORE}/drafts/limits.ts`, "MAX_LISTED"))],
  "receipt of a sent draft": [time(kept(`${CORE}/drafts/limits.ts`, "SENT_LIFETIME"), "days")],
  "identities of an account": [count(kept(`${CORE}/send/limits.ts`, "MAX_IDENTITIES"))],
  signature: [length(field("NewIdentity", "signatureText"))],
  "link that verifies an identity": [time(kept(`${CORE}/send/limits.ts`, "VERIFICATION_LIFETIME"), "days")],
  "finished message in the outbox": [time(kept(`${CORE}/send/limits.ts`, "FINISHED_LIFETIME"), "days")],
  "`email.opened`": [
    `${60_000 / kept(`${CORE}/send/opens/opens.ts`, "EVENT_INTERVAL_MILLIS")} a minute`,
    count(kept(`${CORE}/send/opens/opens.ts`, "MAX_EVENTS")),
  ],

  "endpoints of an account": [count(webhooks.MAX_ENDPOINTS)],
  "URL, description": [
    count(kept(`${CORE}/webhooks/endpoint-url.ts`, "MAX_CHARS")),
    length(field("NewWebhookEndpoint", "description")),
  ],
  "requests to an endpoint at a time": [count(kept(`${CORE}/webhooks/endpoint-settings.ts`, "maxInFlight")), "1 to 10"],
  "whole exchange of a delivery": [`(${time(config.webhooks.timeout, "s")})`],
  "retries of a delivery": [`(${config.webhooks.retryDelays.map(short).join(", ")})`],
  "body of an event": [bytes(kept(`${CORE}/events/write-event.ts`, "MAX_BODY_BYTES"))],
  "answer read from a receiver": [bytes(kept("adapters/webhook-http/src/Excerpt.ts", "READ_BYTES"))],
  "events, deliveries, attempts": [time(kept(`${CORE}/events/kept.ts`, "KEPT"), "days")],
  "deliveries of a page": [count(kept(`${CORE}/webhooks/WebhookDeliveries.ts`, "MAX_PAGE"))],
  "comment of an event stream": [time(kept(`${CORE}/lifecycle/LiveEvents.ts`, "BEAT_MILLIS"), "s")],

  "connections to the mail server for an account, in a process": [`(${config.imapConnectionsPerAccount})`],
  "unrequested data of a mail server, during a command or a second": [
    count(ReceiveBudget.SURPLUS.lines),
    bytes(ReceiveBudget.SURPLUS.bytes),
  ],
  "wait before a mail server that exceeded this limit is contacted again for the account": [
    time(kept(`${CORE}/mail/ServerFloods.ts`, "FIRST_WAIT_MILLIS"), "seconds"),
    time(kept(`${CORE}/mail/ServerFloods.ts`, "MAX_WAIT_MILLIS"), "hour"),
  ],
  "reply of an SMTP server": [bytes(kept("adapters/smtp/src/connect.ts", "MAX_REPLY_BYTES"))],
  "messages that a process sends at once": [
    count(kept(`${CORE}/send/outgoing/OutgoingWorker.ts`, "MAX_AT_ONCE")),
    count(send.MAX_IN_FLIGHT_PER_ACCOUNT),
  ],
  "process without heartbeat": [time(kept(`${CORE}/arrivals/AccountWatcher.ts`, "LEASE_MILLIS"), "s")],
};

/** Rows whose number is not a constant: a sum of several waits, and a duration that the contract describes in words. */
const WORDED = ["stop", "overlap of a rotated secret"];

describe("docs/reference/limits.md", () => {
  it("has every limit once [S6.3-5] [S6.5-1] [S10.3-36] [S10.4-9] [S10.4-10] [S10.5-10] [S10.4-8] [S6.3-6] [S6.4-20] [S7.1-5]", () => {
    const names = rows.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...Object.keys(NUMBERS), ...WORDED].toSorted());
  });

  it.each(rows.filter(({ name }) => !WORDED.includes(name)))(
    "has the number of the code: $name [S8.3-4] [S12.2-8] [S2.6-2]",
    ({ name, number }) => {
      expect(NUMBERS[name]!.length).toBeGreaterThan(0);
      for (const text of NUMBERS[name]!) {
        const quoted = text.replaceAll(/[()]/g, "\\$&");
        expect(number).toMatch(new RegExp(`(?<![\\d,.])${quoted}(?![\\d,.]*\\d)`));
      }
    },
  );
});
