import * as Problem from "@postern/api";
import { type Answer, type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to the errors that handlers raise themselves. */
export const REQUEST_PROBLEMS = {
  RangeUnsatisfiable: ({ size }, requestId) => ({
    problem: new Problem.RangeUnsatisfiable({ requestId }),
    headers: { "content-range": `bytes */${size}` },
  }),
} satisfies ProblemTable<typeof import("../downloads/RangeUnsatisfiable.ts")>;

/** Returns the answer for an account or credential that has reached its share of requests in flight (spec 8). */
export const tooManyRequests = (requestId: string): Answer<Problem.TooManyRequests> => ({
  problem: new Problem.TooManyRequests({ requestId }),
  headers: retryAfter(1),
});

/** Returns the answer of a process that has reached its maximum of requests in flight (spec 8). */
export const overloaded = (requestId: string): Answer<Problem.Overloaded> => ({
  problem: new Problem.Overloaded({ requestId }),
  headers: retryAfter(1),
});

/** Returns the answer of a process that is starting or stopping, or whose database does not answer (spec 8). */
export const notReady = (
  requestId: string,
  unreachable?: Problem.NotReady["unreachable"],
): Answer<Problem.NotReady> => ({
  problem: new Problem.NotReady(unreachable === undefined ? { requestId } : { requestId, unreachable }),
  headers: RETRY_SOON,
});

/** Returns the answer to a method that the path does not support (RFC 9110, 15.5.6). */
export const methodNotAllowed = (requestId: string, allow: string): Answer<Problem.MethodNotAllowed> => ({
  problem: new Problem.MethodNotAllowed({ requestId, detail: `The path allows ${allow}. Use one of these.` }),
  headers: { allow },
});
