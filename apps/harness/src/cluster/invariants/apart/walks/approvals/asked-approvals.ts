import type { Approval } from "@postern/core/drafts";
import type { SendingKey } from "@postern/core/send";
import { Effect } from "effect";
import type { Visit } from "../../../../Visit.ts";
import { DAY, SECOND } from "../../durations.ts";
import { dailyLimits } from "./daily-limits.ts";
import type { WalkedApproval, WalkedDraft } from "./WalkedApproval.ts";

/** The answer to an agent: an approval, or the tag of an error; neither if the message was sent. */
export interface AskAnswer {
  readonly approval?: Approval;
  readonly refused?: string;
}

/** Returns a model of which requests of agents get a new approval, and which get an earlier one. */
export const askedApprovals = (
  visit: Visit,
  approvals: Array<WalkedApproval>,
  written: ReadonlySet<string>,
  isPending: (one: WalkedApproval) => boolean,
) => {
  const limits = dailyLimits(visit);
  const note = (approval: Approval, draft: WalkedDraft, by: SendingKey, isKnown = written.has(draft.to)): void => {
    if (approvals.some(({ id }) => id === approval.id)) return;
    limits.count(by, approval.createdAt);
    visit.expect(visit.now - approval.createdAt < 10 * SECOND, "a new approval is not of this moment");
    approvals.push({
      id: approval.id,
      draft,
      by,
      version: approval.version,
      subject: draft.subject,
      isKnown,
      expiresAt: approval.createdAt + 7 * DAY,
      state: "pending",
      reason: null,
      decidedAt: 0,
    });
  };
  /** Compares the answer to a request for a new approval with the agent's limit; returns the approval. */
  const judgeNew = (by: SendingKey, { approval, refused }: AskAnswer) => {
    const isAllowed = limits.allows(by);
    const answer = approval === undefined ? (refused ?? "sent") : "an approval";
    if (isAllowed !== null || answer !== "an approval")
      visit.same(answer, isAllowed === true ? "an approval" : "KeySendRateExceeded", "what a request to send gets");
    return approval;
  };
  return {
    limits,
    note,
    judgeNew,
    /** Compares the answer to a request to send a draft: one version has one pending approval of an agent. [S13.2-2] */
    compareAsked: (by: SendingKey, draft: WalkedDraft, answer: AskAnswer) =>
      Effect.sync(() => {
        const before = approvals.find(
          (one) => one.draft === draft && one.by.id === by.id && one.version === draft.version && isPending(one),
        );
        if (before !== undefined)
          return visit.same(
            answer.approval?.id ?? answer.refused,
            before.id,
            "the approval of a version, for the agent that asked before",
          );
        const approval = judgeNew(by, answer);
        if (approval === undefined) return;
        visit.expect(
          approvals.every(({ id }) => id !== approval.id),
          "an ended approval is given again",
        );
        note(approval, draft, by);
      }),
  };
};
