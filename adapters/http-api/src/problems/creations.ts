import * as Problem from "@postern/api";
import { type ProblemTable, RETRY_SOON } from "./table.ts";

/** Answers to the errors of an `Idempotency-Key` that was used before (spec 2.6). */
export const CREATION_PROBLEMS = {
  CreatedThenDeleted: (_, requestId) => ({
    problem: new Problem.IdempotencyKeyReused({
      requestId,
      detail: "What the first request with this key created was deleted since. Create another one with a new key.",
    }),
  }),
  CreationInProgress: (_, requestId) => ({
    problem: new Problem.CreationInProgress({ requestId }),
    headers: RETRY_SOON,
  }),
} satisfies ProblemTable<typeof import("@postern/core/creations")>;
