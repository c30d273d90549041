import * as Problem from "@postern/api";
import { URL_REFUSALS } from "@postern/core/webhooks";
import type { Answer, ProblemTable } from "./table.ts";

/** Answers to the errors of webhook endpoints and their deliveries (spec 7). */
export const WEBHOOK_PROBLEMS = {
  EndpointUrlRefused: ({ reason }, requestId) => ({
    problem: new Problem.InvalidRequest({ requestId, errors: [{ field: "url", message: URL_REFUSALS[reason] }] }),
  }),
  TooManyEndpoints: ({ most }, requestId) => ({
    problem: new Problem.TooManyEndpoints({
      requestId,
      detail: `The account may have at most ${most} endpoints. Delete one first.`,
    }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/webhooks")>;

/** Answers to the errors of the feed (spec 7.10). */
export const FEED_PROBLEMS = {
  FeedExpired: (
    { next }: { readonly _tag: "FeedExpired"; readonly next: string },
    requestId: string,
  ): Answer<Problem.FeedExpired> => ({ problem: new Problem.FeedExpired({ requestId, next }) }),
};
