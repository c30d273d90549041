import * as Problem from "@postern/api";
import { checksRecord } from "../wire/account-record.ts";
import { HOST_LIMITED_SECONDS, type ProblemTable, RETRY_SOON, retryAfter } from "./table.ts";

/** Answers to the errors of accounts (spec 10.2). */
export const ACCOUNT_PROBLEMS = {
  AccountBeingRemoved: (_, requestId) => ({
    problem: new Problem.AccountBeingRemoved({ requestId }),
    headers: RETRY_SOON,
  }),
  ProtocolLogNotFound: (_, requestId) => ({ problem: new Problem.TraceNotFound({ requestId }) }),
  ServersFixed: (_, requestId) => ({
    problem: new Problem.ServersFixed({
      requestId,
      errors: [{ field: "imap", message: "cannot be chosen for this address" }],
    }),
  }),
  HostLimited: (_, requestId) => ({
    problem: new Problem.TooManyRequests({ requestId }),
    headers: retryAfter(HOST_LIMITED_SECONDS),
  }),
  AccountUnverified: (verification, requestId) => ({
    problem: new Problem.AccountUnverified({ requestId, checks: checksRecord(verification) }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/accounts")>;
