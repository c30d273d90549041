import * as Problem from "@postern/api";
import type { SendRateExceeded } from "@postern/core/send";
import { fieldOf } from "@postern/core/shared";
import { type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to the errors of sending, of uploads and of the outbox (spec 6). */
export const SEND_PROBLEMS = {
  MessageTooLarge: ({ id, detail }, requestId) => ({
    problem: new Problem.PayloadTooLarge({
      requestId,
      ...(id === undefined ? {} : { id }),
      detail: `Nothing was sent: ${detail}. Send less.`,
    }),
  }),
  UploadMalformed: ({ field, message }, requestId) => ({
    problem: new Problem.InvalidRequest({ requestId, errors: [{ field: fieldOf([field]), message }] }),
  }),
  UploadTooLarge: ({ maxBytes }, requestId) => ({
    problem: new Problem.PayloadTooLarge({
      requestId,
      detail: `A file may have at most ${maxBytes} bytes. Upload a smaller one.`,
    }),
  }),

  SendRateExceeded: (error, requestId) => ({
    problem: new Problem.SendRateExceeded({
      requestId,
      detail: `The account may send ${error.perMinute} messages a minute and ${error.perDay} a day, and this one was not sent. Send it again after the seconds given in Retry-After.`,
    }),
    headers: rateLimit(error),
  }),
  KeySendRateExceeded: ({ retryAfter: millis, perDay }, requestId) => ({
    problem: new Problem.SendRateExceeded({
      requestId,
      detail: `The key may send ${perDay} messages a day, and this one was not sent. Send it again after the seconds given in Retry-After.`,
    }),
    headers: keyRateLimit(millis / 1000, perDay),
  }),
  SendInProgress: (_, requestId) => ({ problem: new Problem.SendInProgress({ requestId }), headers: RETRY_SOON }),
  RecipientRefused: ({ id, rejected }, requestId) => ({
    problem: new Problem.RecipientRefused({
      requestId,
      id,
      rejected,
      errors: rejected.map(({ recipient, detail }) => ({ field: "to", message: `${recipient}: ${detail}` })),
    }),
  }),
  SenderRefused: ({ id, detail }, requestId) => ({
    problem: new Problem.SenderRefused({ requestId, id, detail: refusedSender(detail) }),
  }),
  SmtpAuthRefused: ({ id }, requestId) => ({ problem: new Problem.SmtpAuthRefused({ requestId, id }) }),
  SendOutcomeUnknown: ({ id, messageId }, requestId) => ({
    problem: new Problem.SendOutcomeUnknown({ requestId, id, messageId }),
  }),
  SendUnconfirmed: ({ id, messageId }, requestId) => ({
    problem: new Problem.SendUnconfirmed({ requestId, id, messageId, state: "unknown" }),
    headers: RETRY_SOON,
  }),
  OutgoingNotReleasable: ({ detail }, requestId) => ({
    problem: new Problem.OutgoingNotReleasable({ requestId, detail }),
  }),
  OutgoingNotWaiting: ({ state }, requestId) => ({
    problem: new Problem.OutgoingNotWaiting({
      requestId,
      detail: `Its state is ${state}; only a queued message can be sent now. Follow it with GET /api/outbox.`,
    }),
  }),
  OutgoingNotCancellable: ({ state }, requestId) => ({
    problem: new Problem.OutgoingNotCancellable({
      requestId,
      detail: `Its state is ${state}; only a queued, scheduled or held message can be cancelled. Follow it with GET /api/outbox.`,
    }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/send")>;

/** Returns a detail that ends with the answer of the SMTP server. */
const refusedSender = (answer: string): string =>
  `Nothing was sent. Ask the operator of the mail server to let this address send; its answer was: ${answer}`;

/** Returns the rate limit headers: the policies, and the exceeded policy (draft-ietf-httpapi-ratelimit-headers). */
const rateLimit = ({ window, retryAfter: millis, perMinute, perDay }: SendRateExceeded) => {
  const retry = retryAfter(millis / 1000);
  return {
    ...retry,
    ratelimit: `"${window}";r=0;t=${retry["retry-after"]}`,
    "ratelimit-policy": `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
  };
};

const keyRateLimit = (seconds: number, perDay: number) => {
  const retry = retryAfter(seconds);
  return {
    ...retry,
    ratelimit: `"key";r=0;t=${retry["retry-after"]}`,
    "ratelimit-policy": `"key";q=${perDay};w=86400`,
  };
};
