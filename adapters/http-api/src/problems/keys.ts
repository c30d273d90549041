import * as Problem from "@postern/api";
import { CHALLENGE, durationInWords } from "./auth.ts";
import { type Answer, type ProblemTable, retryAfter } from "./table.ts";

/** Answers to the errors of service keys (spec 10.2). */
export const KEY_PROBLEMS = {
  KeyRejected: (_, requestId) => ({
    problem: new Problem.TokenRejected({
      requestId,
      detail: "The key is unknown, has expired or was deleted. Ask the operator of the service for another one.",
    }),
    headers: CHALLENGE,
  }),
  AgentNotAllowed: ({ detail }, requestId) => ({
    problem: new Problem.AgentNotAllowed({ requestId, detail: `${detail}.` }),
  }),
  TooManyWrongKeys: (error, requestId) => ({
    problem: new Problem.TooManyWrongKeys({
      requestId,
      detail: `The key is wrong, as others from this network were before. The right key is accepted at once; another wrong one in ${durationInWords(error.retryAfter)}.`,
    }),
    headers: retryAfter(error.retryAfter / 1000),
  }),
} satisfies ProblemTable<typeof import("@postern/core/auth")>;

/** Returns the answer to a credential with none of the scopes that an operation needs. */
export const insufficientScope = (
  requestId: string,
  needed: ReadonlyArray<string>,
): Answer<Problem.InsufficientScope> => ({
  problem: new Problem.InsufficientScope({ requestId }),
  headers: {
    "www-authenticate": `${CHALLENGE["www-authenticate"]}, error="insufficient_scope", scope="${needed.join(" ")}"`,
  },
});

/** Returns the answer to a request by a key that names no account. */
export const accountRequired = (requestId: string): Answer<Problem.AccountRequired> => ({
  problem: new Problem.AccountRequired({
    requestId,
    errors: [{ field: "postern-account", message: "is required with a key" }],
  }),
});
