import { it } from "@effect/vitest";
import { Context, Duration, Effect, Fiber, Layer, Metric, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { ParseJobs } from "../../src/bounces/index.ts";
import { newParseJob, type ParseJob } from "../../src/bounces/ParseJob.ts";
import { readReport, reportReader } from "../../src/bounces/read-report.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { MailServerError, type ParsedMessage } from "../../src/mail/index.ts";
import {
  MessageLocator,
  MessageNotFound,
  MessageParser,
  MessageReader,
  MessageUnparsable,
} from "../../src/messages/index.ts";
import { OutgoingJournal, type OutgoingMessage } from "../../src/send/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { IdScopes } from "../../src/shared/neighbours.ts";
import { noTransaction, numberedIds, ownMetrics, readableIds } from "../doubles.ts";
import { outgoing } from "../outgoing.ts";
import { fromDaemon, nested, part, report } from "./message.ts";

const ME = AccountId("me@x.test");
const NOW = 1_900_000_000_000;
const DAY = Duration.toMillis("1 day");
const MIB = 1024 * 1024;
const JOB = newParseJob(ME, { path: "INBOX", uidValidity: 1, uid: 2 }, NOW, NOW);

const bounceOf = (recipient: string, ...headers: ReadonlyArray<readonly [string, string]>) =>
  fromDaemon(
    "Undelivered mail",
    [
      part("text/plain", "It failed."),
      part("message/delivery-status", `Final-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1\n`),
      nested([["Subject", "Hello"], ["From", ME], ...headers]),
    ],
    [report],
  );
const SENT = { ...outgoing({ "a@y.test": "sent" }), createdAt: NOW - 5 };
const DOWN = new MailServerError({ reason: "unreachable", operation: "fetch", detail: "down" });
const ORDINARY: ParsedMessage = { headers: [["Subject", "Hi"]], parts: [part("text/plain", "Hi")] };

interface Given {
  readonly parsed?: ParsedMessage | MessageUnparsable;
  readonly fails?: MailServerError | MessageNotFound;
  readonly isSlow?: boolean;
  /** The folder in which the message is found by its id. */
  readonly path?: string;
  readonly pieces?: ReadonlyArray<number>;
  readonly breaksLater?: boolean;
  readonly named?: ReadonlyArray<OutgoingMessage>;
  readonly sentTo?: ReadonlyArray<OutgoingMessage>;
  readonly isLost?: boolean;
  readonly isReported?: boolean;
}

const counts = Effect.map(Metric.snapshot, (all) =>
  Object.fromEntries(
    all.flatMap(({ id, attributes, type, state }) =>
      id === "reports_read_total" && type === "Counter" ? [[attributes?.["outcome"], Number(state.count)]] : [],
    ),
  ),
);
const NONE = {
  bounce: 0,
  delay: 0,
  complaint: 0,
  none: 0,
  gone: 0,
  delayed: 0,
  failed: 0,
  quarantined: 0,
  given_up: 0,
};

/** Reads the report of a job. Returns the queries of the journal, the writes, the published events and the counts. */
const read = (given: Given, job: ParseJob = JOB) => {
  const log: Array<string> = [];
  const published: Array<string> = [];
  let bytes = 0;
  let ends: ReadonlyArray<number> = [];
  const note = (text: string) => void log.push(text);
  const layer = Layer.mergeAll(
    Layer.mock(ParseJobs, {
      finish: (id, token) => Effect.sync(() => (note(`finish ${id} ${token}`), given.isLost !== true)),
      postpone: ({ job: next, dueAt }) =>
        Effect.sync(() => (note(`postpone ${next.failures} ${next.delays} ${dueAt - NOW}`), true)),
      report: ({ recipient, kind }) =>
        Effect.sync(() => (note(`report ${kind} ${recipient}`), given.isReported !== true)),
    }),
    Layer.mock(MessageLocator, {
      withMessage: (_, id, use) => use({ id, place: { ...job.place, path: given.path ?? "INBOX" } } as never),
    }),
    Layer.mock(MessageReader, {
      bytes: (_, { path }) =>
        path !== (given.path ?? "INBOX")
          ? new MessageNotFound()
          : given.isSlow === true
            ? Effect.never
            : given.fails !== undefined
              ? Effect.fail(given.fails)
              : Effect.succeed(
                  Stream.concat(
                    Stream.fromIterable((given.pieces ?? [5]).map((size, n) => new Uint8Array(size).fill(n + 1))),
                    given.breaksLater === true ? Stream.fail(DOWN) : Stream.empty,
                  ),
                ),
    }),
    Layer.mock(MessageParser, {
      report: (_, __, raw) =>
        Effect.suspend(() => {
          bytes = raw.length;
          ends = [...raw.subarray(0, 4), ...raw.subarray(-2)];
          const parsed = given.parsed ?? ORDINARY;
          return parsed instanceof MessageUnparsable ? Effect.fail(parsed) : Effect.succeed(parsed);
        }),
    }),
    Layer.mock(OutgoingJournal, {
      named: (_, ids, envelopes) =>
        Effect.sync(() => (note(`named ${ids.join()} ${envelopes.join()}`), given.named ?? [])),
      findSentTo: (_, addresses, since) =>
        Effect.sync(() => (note(`sent to ${addresses.join()} ${NOW - since}`), given.sentTo ?? [])),
    }),
    Layer.mock(EventPublisher, {
      publish: (events) => Effect.sync(() => (published.push(...events.map(({ type }) => type)), [])),
    }),
    numberedIds,
    readableIds,
    noTransaction,
    Layer.succeedContext(Context.make(IdScopes, { of: (account) => Effect.succeed(`${account}/1` as never) })),
  );
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const reading = yield* Effect.forkChild(readReport(yield* reportReader, job, "token"));
    if (given.isSlow === true) yield* TestClock.adjust("15 seconds");
    yield* Fiber.join(reading);
    return { log, published, bytes, ends, counts: yield* counts };
  }).pipe(Effect.provide(layer), ownMetrics);
};
const FINISH = `finish ${JOB.id} token`;

describe("a possible report", () => {
  it.effect("ends its job if it is not a report", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toMatchObject({ log: [FINISH], published: [] });
      const gone = yield* read({ fails: new MessageNotFound() });
      expect(gone.log).toEqual([FINISH]);
    }),
  );

  it.effect("is read where it is now, if it was moved after it arrived", () =>
    Effect.gen(function* () {
      const parsed = bounceOf("a@y.test", ["Message-ID", SENT.messageId]);
      expect((yield* read({ parsed, named: [SENT], path: "Archive" })).published).toEqual(["email.bounced"]);
    }),
  );

  it.effect("is counted by its outcome, and all counts begin at 0", () =>
    Effect.gen(function* () {
      const crashed = new MessageUnparsable({ reason: "crashed" });
      const old = { ...JOB, seenAt: NOW - 14 * DAY };
      expect((yield* read({ parsed: bounceOf("a@y.test") })).counts).toEqual({ ...NONE, bounce: 1 });
      expect((yield* read({})).counts).toEqual({ ...NONE, none: 1 });
      expect((yield* read({ fails: new MessageNotFound() })).counts).toEqual({ ...NONE, gone: 1 });
      expect((yield* read({ fails: DOWN })).counts).toEqual({ ...NONE, delayed: 1 });
      expect((yield* read({ fails: DOWN }, old)).counts).toEqual({ ...NONE, given_up: 1 });
      expect((yield* read({ parsed: crashed })).counts).toEqual({ ...NONE, failed: 1 });
      expect((yield* read({ parsed: crashed }, { ...JOB, failures: 4 })).counts).toEqual({ ...NONE, quarantined: 1 });
    }),
  );

  it.effect("is read up to 1 MiB", () =>
    Effect.gen(function* () {
      expect((yield* read({ pieces: [3, 4] })).bytes).toBe(7);
      expect((yield* read({ pieces: [3, 4] })).ends).toEqual([1, 1, 1, 2, 2, 2]);
      expect((yield* read({ pieces: [MIB] })).bytes).toBe(MIB);
      expect((yield* read({ pieces: [MIB], breaksLater: true })).log).toEqual([FINISH]);
      expect((yield* read({ pieces: [MIB - 1, 5, 9] })).bytes).toBe(MIB);
      expect((yield* read({ pieces: [MIB - 1, 1, 9] })).bytes).toBe(MIB);
    }),
  );

  it.effect("about a message that it names is published, once for each recipient", () =>
    Effect.gen(function* () {
      const parsed = bounceOf("a@y.test", ["Message-ID", SENT.messageId]);
      const { log, published } = yield* read({ parsed, named: [SENT] });
      expect(log).toEqual([FINISH, `named ${SENT.messageId} `, "report bounce a@y.test"]);
      expect(published).toEqual(["email.bounced"]);
      expect((yield* read({ parsed, named: [SENT], isReported: true })).published).toEqual([]);
      expect(yield* read({ parsed, named: [SENT], isLost: true })).toMatchObject({ log: [FINISH], published: [] });
      expect((yield* read({ parsed, named: [{ ...SENT, kind: "notice" }] })).published).toEqual([]);
    }),
  );

  it.effect("is matched by each id of the message: its own, the server's, and that of the envelope in xtext", () =>
    Effect.gen(function* () {
      const renamed = { ...SENT, providerMessageId: "<p1@server.test>" };
      const byServer = bounceOf("a@y.test", ["Message-ID", renamed.providerMessageId]);
      expect((yield* read({ parsed: byServer, named: [renamed] })).published).toEqual(["email.bounced"]);
      const byEnvelope = bounceOf("a@y.test", ["X-Envelope-ID", "E+2B1"]);
      const enveloped = { ...SENT, envelopeId: "E+1" };
      expect((yield* read({ parsed: byEnvelope, named: [enveloped] })).log).toContain("named  E+2B1,E+1");
    }),
  );

  it.effect("is matched with messages to its recipients in the last week if it names no message", () =>
    Effect.gen(function* () {
      const parsed = bounceOf("a@y.test");
      const { log, published } = yield* read({ parsed, sentTo: [SENT] });
      expect(log).toContain(`sent to a@y.test,a@y.test ${7 * DAY}`);
      expect(published).toEqual(["email.bounced"]);
      const feedback = part("message/feedback-report", "Feedback-Type: abuse\nOriginal-Rcpt-To: a@y.test");
      const complaint = yield* read({
        parsed: fromDaemon("Abuse", [feedback, nested([["Subject", "Hello"]])]),
        sentTo: [SENT],
      });
      expect(complaint.log).toContain(`sent to a@y.test ${7 * DAY}`);
      expect(complaint.published).toEqual(["email.complained"]);
    }),
  );

  it.effect("that cannot be fetched is read later, for two weeks", () =>
    Effect.gen(function* () {
      expect((yield* read({ fails: DOWN })).log).toEqual(["postpone 0 1 1000"]);
      expect((yield* read({ isSlow: true })).log).toEqual(["postpone 0 1 16000"]);
      expect((yield* read({ parsed: new MessageUnparsable({ reason: "busy" }) })).log).toEqual(["postpone 0 1 1000"]);
      expect((yield* read({ fails: DOWN }, { ...JOB, seenAt: NOW - 14 * DAY })).log).toEqual([FINISH]);
    }),
  );

  it.effect("that cannot be parsed is tried again four times", () =>
    Effect.gen(function* () {
      const parsed = new MessageUnparsable({ reason: "crashed" });
      expect((yield* read({ parsed })).log).toEqual(["postpone 1 0 60000"]);
      expect((yield* read({ parsed }, { ...JOB, failures: 3 })).log).toEqual([`postpone 4 0 ${3 * DAY}`]);
      expect((yield* read({ parsed }, { ...JOB, failures: 4 })).log).toEqual([FINISH]);
    }),
  );
});
