import { approvalFields, auditFields, Count } from "@postern/core/rules";
import { Schema } from "effect";
import { APPROVAL_ID } from "../examples/approvals.ts";
import { DRAFT_ID } from "../examples/drafts.ts";
import { Instant, Ok } from "./wire.ts";

/** A request to a person to approve the sending of a draft (spec 13.2). */
export const Approval = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the approval.", examples: [APPROVAL_ID] }),
  state: approvalFields.state.annotate({
    description:
      "`pending`: the approval waits for a decision; `stale`: the draft was changed, deleted or sent otherwise; " +
      "`withdrawn`: the key or grant that asked for it ended.",
  }),
  draftId: Schema.String.annotate({
    description: "Id of the draft, which has the whole message.",
    examples: [DRAFT_ID],
  }),
  version: Schema.String.annotate({
    description: "Version of the draft that is sent; for `If-Match`.",
    examples: ["3"],
  }),
  by: Schema.Struct({
    key: Schema.optionalKey(
      Schema.String.annotate({ description: "Id of the service key that asked for the approval." }),
    ),
    grant: Schema.optionalKey(
      Schema.String.annotate({ description: "Id of the agent's grant that asked for the approval." }),
    ),
    name: Schema.String.annotate({ description: "Name of the key or grant." }),
  }).annotate({ description: "The requester." }),
  recipients: Schema.Array(
    Schema.Struct({
      address: Schema.String.annotate({ description: "Address of a recipient in To, Cc or Bcc." }),
      known: Schema.Boolean.annotate({ description: "Whether the owner wrote to this address before." }),
    }),
  ).annotate({ description: "All recipients." }),
  subject: Schema.String.annotate({ description: "Subject; empty if there is none." }),
  preview: Schema.String.annotate({ description: "The first 500 characters of the text." }),
  files: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotate({ description: "File name." }),
      type: Schema.String.annotate({ description: "Media type." }),
      size: Count.annotate({ description: "Size in bytes." }),
    }),
  ).annotate({ description: "The files." }),
  createdAt: Instant.annotate({ description: "When the approval was asked for." }),
  expiresAt: Instant.annotate({ description: "When the approval expires, 7 days later." }),
  decidedAt: Schema.NullOr(Instant).annotate({ description: "When the approval got its final state; null before." }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "The person's reason for a denial; null otherwise." }),
}).annotate({ identifier: "Approval", description: "A request to a person to approve the sending of a draft." });

/** A call of `/mcp` by the agent that asked for an approval (spec 8.7). */
const AgentCall = Schema.Struct({
  createdAt: Instant.annotate({ description: "When the call ended." }),
  operation: auditFields.operation.annotate({ description: "`mcp.` and the tool." }),
  ids: Schema.Array(Schema.String).annotate({
    description: "Ids of the messages, drafts and approvals in the call or its answer.",
  }),
  outcome: Schema.String.annotate({ description: "`done`, or why the call was refused or ended." }),
}).annotate({ identifier: "AgentCall", description: "A call that an agent made before it asked." });

/** An approval with the agent's calls before the request (spec 13.2). */
export const ApprovalWithCalls = Schema.Struct({
  ...Approval.fields,
  calls: Schema.Array(AgentCall).annotate({
    description:
      "The last 20 calls of `/mcp` about this mailbox that the key or grant made before it asked, newest first; kept for 30 days.",
  }),
}).annotate({ identifier: "ApprovalWithCalls", description: "An approval, and what the agent read before it asked." });

/** The answer to a request to send that needs an approval. */
export const ApprovalAsked = Schema.Struct({ ok: Ok, approval: Approval }).annotate({
  identifier: "ApprovalAsked",
  description: "Nothing was sent yet: a person is asked to approve the message.",
  httpApiStatus: 202,
});
