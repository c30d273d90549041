import * as Problem from "@postern/api";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of identities (spec 12.2). */
export const IDENTITY_PROBLEMS = {
  SenderNotAllowed: (_, requestId) => ({ problem: new Problem.SenderNotAllowed({ requestId }) }),
  IdentityNotFound: (_, requestId) => ({ problem: new Problem.IdentityNotFound({ requestId }) }),
  IdentityExists: (_, requestId) => ({ problem: new Problem.IdentityExists({ requestId }) }),
  IdentityUnverified: (_, requestId) => ({ problem: new Problem.IdentityUnverified({ requestId }) }),
  IdentityChanged: (_, requestId) => ({ problem: new Problem.IdentityChanged({ requestId }) }),
  IdentityOwn: (_, requestId) => ({ problem: new Problem.IdentityOwn({ requestId }) }),
  TooManyIdentities: (_, requestId) => ({ problem: new Problem.TooManyIdentities({ requestId }) }),
} satisfies ProblemTable<typeof import("@postern/core/send")>;
