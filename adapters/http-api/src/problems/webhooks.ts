import * as Problem from "@postern/api";
import { URL_REFUSALS } from "@postern/core/webhooks";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of webhook endpoints and their deliveries (spec 7). */
export const WEBHOOK_PROBLEMS = {
  EndpointUrlRefused: ({ reason }, requestId) => ({
    problem: new Problem.InvalidRequest({ requestId, errors: [{ field: "url", message: URL_REFUSALS[reason] }] }),
  }),
  EndpointInvalid: ({ errors }, requestId) => ({ problem: new Problem.InvalidRequest({ requestId, errors }) }),
  EventTypesUnknown: ({ fields }, requestId) => ({
    problem: new Problem.InvalidRequest({
      requestId,
      errors: fields.map((field) => ({ field, message: UNKNOWN_EVENT })),
    }),
  }),
  TooManyEndpoints: ({ most }, requestId) => ({
    problem: new Problem.TooManyEndpoints({
      requestId,
      detail: `The account may have at most ${most} endpoints. Delete one first.`,
    }),
  }),
  ReplayRangeInvalid: (_, requestId) => ({
    problem: new Problem.InvalidRequest({
      requestId,
      errors: [{ field: "until", message: "must be later than since" }],
    }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/webhooks")>;

const UNKNOWN_EVENT = "is not an event type: GET /api/settings/webhooks/event-types lists them";
