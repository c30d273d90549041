import * as Problem from "@postern/api";
import { type Answer, type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to what a handler refuses before or after it asks a use case. */
export const REQUEST_PROBLEMS = {
  RangeUnsatisfiable: ({ size }, requestId) => ({
    problem: new Problem.RangeUnsatisfiable({ requestId }),
    headers: { "content-range": `bytes */${size}` },
  }),
} satisfies ProblemTable<typeof import("../RangeUnsatisfiable.ts")>;

/** One account has its share of requests under way (spec 8). */
export const tooManyRequests = (requestId: string): Answer<Problem.TooManyRequests> => ({
  problem: new Problem.TooManyRequests({ requestId }),
  headers: retryAfter(1),
});

/** The process has as many requests under way as it takes on (spec 8). */
export const overloaded = (requestId: string): Answer<Problem.Overloaded> => ({
  problem: new Problem.Overloaded({ requestId }),
  headers: retryAfter(1),
});

/** The process starts or stops, or its database does not answer (spec 8). */
export const notReady = (requestId: string): Answer<Problem.NotReady> => ({
  problem: new Problem.NotReady({ requestId }),
  headers: RETRY_SOON,
});

/** The path takes other methods (RFC 9110, 15.5.6). */
export const methodNotAllowed = (requestId: string, allow: string): Answer<Problem.MethodNotAllowed> => ({
  problem: new Problem.MethodNotAllowed({ requestId }),
  headers: { allow },
});
