import { problem } from "./problem.ts";

/** 403: the policy of the agent excludes the message (spec 13.1). */
export class OutsidePolicy extends problem<OutsidePolicy>()(
  "outside_policy",
  403,
  "The policy of the agent does not allow this message",
  "Nothing was sent. Send only to the recipients that sendPolicy of the key names, and leave out Bcc, another " +
    "sender, files of other messages and header fields of your own. Or ask the owner for another policy.",
) {}

/** 403: an agent must not widen its own rights (spec 13.1); `detail` describes the refused change. */
export class AgentNotAllowed extends problem<AgentNotAllowed>()(
  "agent_not_allowed",
  403,
  "An agent may not do this",
  "Nothing was changed. Ask the owner of the mailbox to do it.",
) {}

/** 404: the account has no such approval (spec 13.2). */
export class ApprovalNotFound extends problem<ApprovalNotFound>()(
  "approval_not_found",
  404,
  "Approval not found",
  "The account has no approval with this id; decided ones are kept for 90 days. List them with GET /api/approvals.",
) {}

/** 403: the key that asked for an approval cannot decide it (spec 13.2). */
export class ApprovalOwn extends problem<ApprovalOwn>()(
  "approval_own",
  403,
  "The key that asked cannot decide",
  "Let the owner of the mailbox decide, or another key with the scope approvals.",
) {}

/** 409: If-Match differs from the version of the approval (spec 13.2). */
export class ApprovalChanged extends problem<ApprovalChanged>()(
  "approval_changed",
  409,
  "The approval is about another version",
  "Nothing was sent. Read the approval with GET /api/approvals/{id}, show it to a person, then send its version in If-Match.",
) {}

/** 409: the approval is already decided; `detail` names its state (spec 13.2). */
export class ApprovalDecided extends problem<ApprovalDecided>()(
  "approval_decided",
  409,
  "The approval is no longer pending",
  "Nothing was sent: it was decided, it expired, its draft was changed, or the key that asked ended. Read its state with GET /api/approvals/{id}.",
) {}
