import * as Problem from "@postern/api";
import { type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to the errors of OAuth2 (spec 11). */
export const OAUTH_PROBLEMS = {
  AppNotFound: (_, requestId) => ({ problem: new Problem.OAuthAppNotFound({ requestId }) }),
  AppReadOnly: (_, requestId) => ({ problem: new Problem.OAuthAppFixed({ requestId }) }),
  AppMisconfigured: (_, requestId) => ({ problem: new Problem.OAuthAppRefused({ requestId }) }),
  GrantInvalid: ({ reason }, requestId) => ({
    problem: new Problem.InvalidRequest({
      requestId,
      errors: [{ field: "grant", message: `cannot be used: ${reason}` }],
    }),
  }),
  OtherIdentity: (_, requestId) => ({ problem: new Problem.OtherUserConsented({ requestId }) }),
  ProviderUnavailable: ({ retryAfter: millis }, requestId) => ({
    problem: new Problem.OAuthProviderUnavailable({ requestId }),
    headers: millis === null ? RETRY_SOON : retryAfter(millis / 1000),
  }),
} satisfies ProblemTable<typeof import("@postern/core/oauth")>;
