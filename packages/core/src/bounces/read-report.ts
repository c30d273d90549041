import { Clock, Duration, Effect, Metric, Stream } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher } from "../events/index.ts";
import {
  MessageLocator,
  type MessageNotFound,
  MessageParser,
  type MessagePlace,
  MessageReader,
} from "../messages/index.ts";
import { OutgoingJournal } from "../send/index.ts";
import { type AccountId, Entropy, OpaqueIds, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { IdScopes } from "../shared/neighbours.ts";
import { match, SUBJECT_WINDOW } from "./match.ts";
import { afterDelay, afterFailure, type PostponedJob } from "./parse-job-state.ts";
import type { ParseJob } from "./ParseJob.ts";
import { ParseJobs } from "./ports/ParseJobs.ts";
import { decodeXtext } from "./mail-address.ts";
import { recognise } from "./recognise.ts";
import { reportEvent } from "./report-event.ts";
import type { Report } from "./Report.ts";
import { sentMessageOf } from "./sent-message.ts";

/** The number of bytes of a message that are fetched. In a bounce, the report precedes the returned message. */
const MAX_RAW_BYTES = 1024 * 1024;
/** How long the fetch may take. */
const FETCH_TIMEOUT = "15 seconds";

const read = Metric.counter("reports_read_total", {
  description: "Messages read as possible reports on mail that was sent, by outcome",
  incremental: true,
});
const OUTCOMES = [
  ...(["bounce", "delay", "complaint", "none"] satisfies ReadonlyArray<Report["kind"]>),
  ...(["gone", "delayed", "failed", "quarantined", "given_up"] as const),
] as const;
const count = (outcome: (typeof OUTCOMES)[number], by = 1) =>
  Metric.update(Metric.withAttributes(read, { outcome }), by);

/** The ports and services that read possible reports, and counters that start at 0. */
export const reportReader = Effect.tap(
  Effect.all({
    jobs: ParseJobs,
    locator: MessageLocator,
    scopes: IdScopes,
    reader: MessageReader,
    parser: MessageParser,
    journal: OutgoingJournal,
    publisher: EventPublisher,
    ids: OpaqueIds,
    entropy: Entropy,
    transaction: Transaction,
  }),
  Effect.forEach(OUTCOMES, (outcome) => count(outcome, 0), { discard: true }),
);
export type ReportReader = Effect.Success<typeof reportReader>;

/** Reads a possible report leased under this token. Publishes its events about sent messages in the transaction that finishes the job (spec 7). */
export const readReport = Effect.fn("readReport")(function* (
  from: ReportReader,
  job: ParseJob,
  token: string,
): Effect.fn.Return<void, StoreUnavailable> {
  const { jobs, parser, transaction } = from;
  const parsed = fetch(from, job).pipe(
    Effect.timeout(FETCH_TIMEOUT),
    Effect.flatMap((raw) => parser.report(job.account, job.id, raw)),
  );
  return yield* parsed.pipe(
    Effect.matchEffect({
      onSuccess: (message) => {
        const report = recognise(message);
        return Effect.andThen(transaction.run(settle(from, job, token, report)), count(report.kind));
      },
      onFailure: (error) => {
        if (error._tag === "MessageNotFound") return Effect.andThen(jobs.finish(job.id, token), count("gone"));
        return error._tag === "MessageUnparsable"
          ? recordUnparsable(from, job, token, error.reason)
          : delay(from, job, token);
      },
    }),
  );
});

/** Reads the beginning of a message of INBOX, or of the folder to which it was moved since. */
const fetch = Effect.fnUntraced(function* (
  { locator, scopes, ids, reader }: ReportReader,
  { account, place: { uidValidity, uid } }: ParseJob,
): Effect.fn.Return<Uint8Array, MailboxAccessError | MessageNotFound> {
  const [id] = ids.messageIds(yield* scopes.of(account), "inbox", uidValidity, [uid]);
  return yield* locator.withMessage(account, id!, ({ place }) => readBeginning(reader, account, place));
});

const readBeginning = Effect.fnUntraced(function* (
  reader: MessageReader["Service"],
  account: AccountId,
  place: MessagePlace,
) {
  const stream = yield* reader.bytes(account, place, "raw");
  const pieces: Array<Uint8Array> = [];
  let size = 0;
  yield* Stream.runForEachWhile(stream, (piece) =>
    Effect.sync(() => {
      pieces.push(piece);
      size += piece.length;
      return size < MAX_RAW_BYTES;
    }),
  );
  return join(pieces, size).subarray(0, MAX_RAW_BYTES);
});

/** Returns the sent messages that the report names; if there are none, recent messages to the recipients in the report. */
const findCandidates = Effect.fnUntraced(function* (
  { journal }: ReportReader,
  job: ParseJob,
  report: Exclude<Report, { kind: "none" }>,
) {
  const { messageIds, envelopeId } = report.returned;
  const ids = messageIds.map((id) => `<${id.trim().replaceAll(/^<|>$/g, "")}>`);
  const envelopeIds = envelopeId === null ? [] : [envelopeId, decodeXtext(envelopeId)];
  const named = yield* journal.named(job.account, ids, envelopeIds);
  if (named.length > 0) return named;
  const addresses = report.recipients.flatMap((one) =>
    typeof one === "string" ? [one] : [one.address, one.originalRecipient ?? one.address],
  );
  return yield* journal.findSentTo(job.account, addresses, job.arrivedAt - Duration.toMillis(SUBJECT_WINDOW));
});

const settle = Effect.fnUntraced(function* (from: ReportReader, job: ParseJob, token: string, report: Report) {
  const { jobs, publisher, ids, entropy } = from;
  if (!(yield* jobs.finish(job.id, token)) || report.kind === "none") return;
  const messages = (yield* findCandidates(from, job, report)).filter(({ kind }) => kind !== "notice");
  const byId = new Map(messages.map((message) => [message.id, message]));
  const now = yield* Clock.currentTimeMillis;
  const account = eventAccount(ids, job.account);
  const events = [];
  for (const settlement of match(report, messages.map(sentMessageOf), job.arrivedAt)) {
    const { sentId, recipient, outcome } = settlement;
    if (!(yield* jobs.report({ sentId, recipient, kind: outcome.kind }))) continue;
    const id = eventId(now, yield* entropy.id(128));
    events.push(reportEvent(id, account, byId.get(sentId)!, settlement, now));
  }
  yield* publisher.publish(events);
});

const postpone = ({ jobs }: ReportReader, job: ParseJob, token: string, next: PostponedJob | null) =>
  next === null ? jobs.finish(job.id, token) : jobs.postpone(next, token);

const delay = Effect.fnUntraced(function* (from: ReportReader, job: ParseJob, token: string) {
  const next = afterDelay(job, yield* Clock.currentTimeMillis);
  yield* count(next === null ? "given_up" : "delayed");
  yield* postpone(from, job, token, next);
});

const recordUnparsable = Effect.fnUntraced(function* (
  from: ReportReader,
  job: ParseJob,
  token: string,
  reason: string,
) {
  if (reason === "busy") return yield* delay(from, job, token);
  const next = afterFailure(job, yield* Clock.currentTimeMillis);
  yield* count(next === null ? "quarantined" : "failed");
  if (next === null) {
    const { account, place } = job;
    yield* Effect.annotateLogs(Effect.logWarning("message cannot be parsed, not tried again"), {
      account,
      uid: place.uid,
      reason,
    });
  }
  yield* postpone(from, job, token, next);
});

const join = (pieces: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
};
