import * as Problem from "@postern/api";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of accounts (spec 10.2). */
export const ACCOUNT_PROBLEMS = {
  AccountNotFound: (_, requestId) => ({ problem: new Problem.AccountNotFound({ requestId }) }),
  AccountPaused: (_, requestId) => ({ problem: new Problem.AccountPaused({ requestId }) }),
  AccountNeedsReauth: (_, requestId) => ({ problem: new Problem.AccountNeedsReauth({ requestId }) }),
} satisfies ProblemTable<typeof import("@postern/core/accounts")>;
