import * as Problem from "@postern/api";
import type { SendRateExceeded } from "@postern/core/send";
import { fieldOf, MOST_FAULTS } from "../field-faults.ts";
import { type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to the errors of sending, of uploads and of the outbox (spec 6). */
export const SEND_PROBLEMS = {
  DraftInvalid: ({ errors }, requestId) => ({
    problem: new Problem.InvalidRequest({ requestId, errors: errors.slice(0, MOST_FAULTS) }),
  }),
  MessageTooLarge: ({ limit }, requestId) => ({
    problem: new Problem.PayloadTooLarge({ requestId, detail: `A message may have at most ${limit}.` }),
  }),
  UploadMalformed: ({ field, message }, requestId) => ({
    problem: new Problem.InvalidRequest({ requestId, errors: [{ field: fieldOf([field]), message }] }),
  }),
  UploadTooLarge: ({ maxBytes }, requestId) => ({
    problem: new Problem.PayloadTooLarge({ requestId, detail: `A file may have at most ${maxBytes} bytes.` }),
  }),

  SendRateExceeded: (error, requestId) => ({
    problem: new Problem.SendRateExceeded({
      requestId,
      detail: `It may send ${error.perMinute} messages a minute and ${error.perDay} a day. Try again after Retry-After seconds.`,
    }),
    headers: rateLimit(error),
  }),
  SenderBlocked: (_, requestId) => ({ problem: new Problem.SenderBlocked({ requestId }) }),
  IdempotencyKeyReused: (_, requestId) => ({
    problem: new Problem.IdempotencyKeyReused({ requestId, detail: "Send another message with a new key." }),
  }),
  SendInProgress: (_, requestId) => ({ problem: new Problem.SendInProgress({ requestId }), headers: RETRY_SOON }),
  RecipientRefused: ({ rejected }, requestId) => ({
    problem: new Problem.RecipientRefused({
      requestId,
      rejected,
      errors: rejected.map(({ recipient, detail }) => ({ field: "to", message: `${recipient}: ${detail}` })),
    }),
  }),
  SenderRefused: ({ detail }, requestId) => ({ problem: new Problem.SenderRefused({ requestId, detail }) }),
  SmtpAuthRefused: (_, requestId) => ({ problem: new Problem.SmtpAuthRefused({ requestId }) }),
  SendOutcomeUnknown: ({ messageId }, requestId) => ({
    problem: new Problem.SendOutcomeUnknown({ requestId, messageId }),
  }),
  SendUnconfirmed: ({ id, messageId }, requestId) => ({
    problem: new Problem.SendUnconfirmed({ requestId, id, messageId, state: "unknown" }),
    headers: RETRY_SOON,
  }),
  OutgoingNotFound: (_, requestId) => ({ problem: new Problem.OutgoingNotFound({ requestId }) }),
  OutgoingNotCancellable: ({ state }, requestId) => ({
    problem: new Problem.OutgoingNotCancellable({ requestId, detail: `Its state is ${state}.` }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/send")>;

/** Returns the rate limit headers: the policies, and the one exceeded (draft-ietf-httpapi-ratelimit-headers). */
const rateLimit = ({ window, retryAfter: millis, perMinute, perDay }: SendRateExceeded) => {
  const retry = retryAfter(millis / 1000);
  return {
    ...retry,
    ratelimit: `"${window}";r=0;t=${retry["retry-after"]}`,
    "ratelimit-policy": `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
  };
};
