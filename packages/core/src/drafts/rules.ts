import { Schema } from "effect";
import { textUpTo } from "../shared/rules.ts";

/** The rules of the fields of requests about approvals (spec 13.2). */
export const approvalFields = {
  state: Schema.Literals(["pending", "approved", "denied", "expired", "stale", "withdrawn"]),
  reason: textUpTo(1_000),
};
