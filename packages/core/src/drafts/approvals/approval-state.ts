import { Duration } from "effect";
import type { Approval, ApprovalState } from "./Approval.ts";

/** How long an approval stays pending before it expires. */
export const APPROVAL_LIFETIME = Duration.days(7);

/** An event that ends an approval. */
export type Ending =
  | { readonly state: Exclude<ApprovalState, "pending" | "denied"> }
  | { readonly state: "denied"; readonly reason: string | null };

/** Returns the approval after an ending at `now`. A final state does not change, and after `expiresAt` the state becomes `expired`. */
export const endApproval = (approval: Approval, ending: Ending, now: number): Approval => {
  if (approval.state !== "pending") return approval;
  const isLate = now >= approval.expiresAt;
  if (ending.state === "expired" && !isLate) return approval;
  return {
    ...approval,
    state: isLate ? "expired" : ending.state,
    reason: !isLate && ending.state === "denied" ? ending.reason : null,
    decidedAt: now,
  };
};
