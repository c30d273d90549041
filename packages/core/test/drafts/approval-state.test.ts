import { describe, expect, it } from "vitest";
import type { Approval } from "../../src/drafts/index.ts";
import { endApproval, type Ending } from "../../src/drafts/approvals/approval-state.ts";
import { AccountId } from "../../src/shared/index.ts";

const PENDING: Approval = {
  id: "apr_1",
  account: AccountId("me@x.test"),
  draftId: "dft_1",
  version: 1,
  state: "pending",
  by: { kind: "key", id: "k1", name: "K", application: "app" },
  recipients: [],
  subject: "",
  preview: "",
  files: [],
  hash: "h",
  createdAt: 0,
  expiresAt: 1_000,
  decidedAt: null,
  reason: null,
};
const ENDINGS: ReadonlyArray<Ending> = [
  { state: "approved" },
  { state: "denied", reason: "no" },
  { state: "stale" },
  { state: "withdrawn" },
  { state: "expired" },
];

describe("an approval", () => {
  it.each(ENDINGS.filter(({ state }) => state !== "expired"))("is $state before it expires", (ending) => {
    const reason = ending.state === "denied" ? "no" : null;
    expect(endApproval(PENDING, ending, 999)).toEqual({ ...PENDING, state: ending.state, decidedAt: 999, reason });
  });

  it.each(ENDINGS)("is expired, not $state, once its time has passed [S13.2-7]", (ending) => {
    expect(endApproval(PENDING, ending, 1_000)).toMatchObject({ state: "expired", decidedAt: 1_000, reason: null });
  });

  it("does not expire early", () => {
    expect(endApproval(PENDING, { state: "expired" }, 999)).toBe(PENDING);
  });

  it.each(ENDINGS)("keeps a final state against $state", (ending) => {
    for (const state of ["approved", "denied", "expired", "stale", "withdrawn"] as const) {
      const decided = { ...PENDING, state };
      expect(endApproval(decided, ending, 500)).toBe(decided);
    }
  });
});
