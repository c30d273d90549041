import * as Problem from "@postern/api";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of approvals (spec 13.2). */
export const APPROVAL_PROBLEMS = {
  ApprovalDecided: ({ state }, requestId) => ({
    problem: new Problem.ApprovalDecided({
      requestId,
      detail: `Nothing was sent: its state is ${state}. If the message should still be sent, ask for another approval.`,
    }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/drafts")>;
