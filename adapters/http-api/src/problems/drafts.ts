import * as Problem from "@postern/api";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of drafts (spec 12.1). */
export const DRAFT_PROBLEMS = {
  DraftNotFound: (_, requestId) => ({ problem: new Problem.DraftNotFound({ requestId }) }),
  DraftChanged: (_, requestId) => ({ problem: new Problem.DraftChanged({ requestId }) }),
  StorageExceeded: (_, requestId) => ({ problem: new Problem.StorageExceeded({ requestId }) }),
} satisfies ProblemTable<typeof import("@postern/core/drafts")>;
