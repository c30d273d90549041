import * as Problem from "@postern/api";
import { type Answer, type ProblemTable, retryAfter } from "./table.ts";

/** The header that tells how to authenticate (RFC 6750, 3). */
export const CHALLENGE = { "www-authenticate": 'Bearer realm="postern"' };

const PASSWORD_REFUSALS = {
  app_password_required: Problem.AppPasswordRequired,
  basic_auth_disabled: Problem.BasicAuthDisabled,
  imap_disabled: Problem.ImapDisabled,
  oauth_required: Problem.OAuthRequired,
};

/** Answers to the errors of signing in and of sessions (spec 3). */
export const AUTH_PROBLEMS = {
  AddressMalformed: (_, requestId) => ({
    problem: new Problem.InvalidRequest({
      requestId,
      errors: [{ field: "email", message: "must be an e-mail address" }],
    }),
  }),
  PasswordRefused: ({ reason }, requestId) => ({ problem: new PASSWORD_REFUSALS[reason]({ requestId }) }),
  TooManyLoginFailures: (error, requestId) => ({
    problem: new Problem.TooManyLoginFailures({
      requestId,
      detail: `Sign-ins of this account or from this network failed too often. Sign in again in ${durationInWords(error.retryAfter)}.`,
    }),
    headers: retryAfter(error.retryAfter / 1000),
  }),
  TokenRejected: (_, requestId) => ({
    problem: new Problem.TokenRejected({ requestId }),
    headers: CHALLENGE,
  }),
  RefreshReused: (_, requestId) => ({
    problem: new Problem.RefreshReused({ requestId }),
    headers: CHALLENGE,
  }),
} satisfies ProblemTable<typeof import("@postern/core/auth")>;

/** Returns the answer to a key or token outside the right header field (spec 3.2). */
export const keyMisplaced = (requestId: string): Answer<Problem.TokenRejected> => ({
  problem: new Problem.TokenRejected({
    requestId,
    detail:
      "The request shows a credential in a way that is not read. Show the key or token in the header Authorization: Bearer <key>.",
  }),
  headers: CHALLENGE,
});

/** Returns a duration in minutes or hours. */
export const durationInWords = (millis: number): string => {
  const minutes = Math.ceil(millis / 60_000);
  return minutes <= 1 ? "a minute" : minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
};
