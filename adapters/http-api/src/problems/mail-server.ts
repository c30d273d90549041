import * as Problem from "@postern/api";
import type { MailServerError } from "@postern/core/mail";
import { MAX_FAULTS } from "@postern/core/shared";
import { HOST_LIMITED_SECONDS, type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to the errors of requests to the mail server (spec 2). */
export const MAIL_SERVER_PROBLEMS = {
  MailServerError: ({ reason }, requestId) => ({
    problem: new BY_REASON[reason]({ requestId }),
    headers: isFinal(reason) ? {} : reason === "limited" ? retryAfter(HOST_LIMITED_SECONDS) : RETRY_SOON,
  }),
} satisfies ProblemTable<typeof import("@postern/core/mail")>;

/** Answers to the errors that every use case may have: invalid input, or an unavailable database. */
export const SHARED_PROBLEMS = {
  InputInvalid: ({ errors }, requestId) => ({
    problem: new Problem.InvalidRequest({ requestId, errors: errors.slice(0, MAX_FAULTS) }),
  }),
  StoreUnavailable: ({ isSealed }, requestId) => ({
    problem: new (isSealed === true ? Problem.CredentialUnreadable : Problem.StoreUnavailable)({ requestId }),
    headers: RETRY_SOON,
  }),
} satisfies ProblemTable<typeof import("@postern/core/shared")>;

const BY_REASON = {
  unreachable: Problem.MailServerUnreachable,
  untrusted: Problem.MailServerUntrusted,
  busy: Problem.MailServerBusy,
  limited: Problem.TooManyRequests,
  protocol: Problem.MailServerFault,
  flood: Problem.MailServerFlood,
  timeout: Problem.MailServerTimeout,
  not_permitted: Problem.NotPermitted,
  over_quota: Problem.MailboxFull,
  sign_in_unclear: Problem.SignInUnclear,
  provider_unavailable: Problem.OAuthProviderUnavailable,
  app_misconfigured: Problem.OAuthAppRefused,
  credential_unreadable: Problem.CredentialUnreadable,
} as const;

/** Returns whether a retry would fail in the same way. */
const isFinal = (reason: MailServerError["reason"]): boolean =>
  reason === "not_permitted" || reason === "over_quota" || reason === "app_misconfigured";
