import { approvalFields, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../../auth/Authorization.ts";
import { documented } from "../../document/documented.ts";
import { APPROVAL, APPROVAL_ID, APPROVAL_WITH_CALLS } from "../../examples/approvals.ts";
import { ApprovalChanged, ApprovalDecided, ApprovalNotFound, ApprovalOwn } from "../../problems/approvals.ts";
import { IfMatchRequired } from "../../problems/drafts.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Approval, ApprovalWithCalls } from "../../records/approvals.ts";
import { NextCursor, Ok, pageQuery } from "../../records/wire.ts";
import { SEND_PROBLEMS } from "../SendGroup.ts";

const params = { id: RecordId.annotate({ description: "Id of the approval.", examples: [APPROVAL_ID] }) };
const One = Schema.Struct({ ok: Ok, data: Approval });
const DECISION_PROBLEMS = [InvalidRequest, ApprovalNotFound, ApprovalOwn, ApprovalDecided, StoreUnavailable] as const;

const list = HttpApiEndpoint.get("list", "/approvals", {
  query: {
    ...pageQuery,
    state: Schema.optionalKey(approvalFields.state.annotate({ description: "Only approvals in this state." })),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(Approval).annotate({ description: "The approvals, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "approvals",
    summary: "List approvals",
    description:
      "Returns the approvals that agents asked for in this mailbox, newest first. Decided approvals are kept for 90 days.",
    answer: { ok: true, data: [APPROVAL], nextCursor: null },
  }),
);

const get = HttpApiEndpoint.get("get", "/approvals/:id", {
  params,
  success: Schema.Struct({ ok: Ok, data: ApprovalWithCalls }),
  error: [InvalidRequest, ApprovalNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "approvals",
    summary: "Read an approval",
    description:
      "Returns an approval, and the last 20 calls that the agent made before it asked. `GET /api/drafts/{id}` of " +
      "its draft has the whole message.",
    answer: { ok: true, data: APPROVAL_WITH_CALLS },
  }),
);

const approve = HttpApiEndpoint.post("approve", "/approvals/:id/approve", {
  params,
  headers: {
    "if-match": Schema.optionalKey(
      RecordId.annotate({ description: "`version` of the approval that the person saw. Required.", examples: ["3"] }),
    ),
  },
  success: One,
  error: [...DECISION_PROBLEMS, ApprovalChanged, IfMatchRequired, ...SEND_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "approvals",
    summary: "Approve a sending",
    description:
      "Sends the draft of the approval in the version that `If-Match` names. A repeat sends nothing again. If the " +
      "draft was changed since, nothing is sent. The outbox shows the outcome. The key that asked for the approval " +
      "cannot approve it.",
    answer: { ok: true, data: { ...APPROVAL, state: "approved", decidedAt: "2026-03-02T10:00:00.000Z" } },
  }),
);

const deny = HttpApiEndpoint.post("deny", "/approvals/:id/deny", {
  params,
  payload: [
    Schema.Struct({
      reason: Schema.optionalKey(
        approvalFields.reason.annotate({ description: "The reason, which the agent may read." }),
      ),
    }).annotate({ identifier: "Denial", description: "A denial of an approval." }),
    Schema.Null,
  ],
  success: One,
  error: DECISION_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "approvals",
    summary: "Deny a sending",
    description:
      "Denies the approval: its draft is not sent, and stays. The key that asked for the approval cannot deny it.",
    request: { reason: "Not to them" },
    answer: {
      ok: true,
      data: { ...APPROVAL, state: "denied", decidedAt: "2026-03-02T10:00:00.000Z", reason: "Not to them" },
    },
  }),
);

/** The approvals that agents asked for, for people and keys that decide (spec 13.2). */
export class ApprovalsGroup extends HttpApiGroup.make("approvals")
  .add(list)
  .add(get)
  .add(approve)
  .add(deny)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Approvals")
  .annotate(OpenApi.Description, "Decide about messages that agents want to send.") {}
