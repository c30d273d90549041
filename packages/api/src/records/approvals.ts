import { approvalFields, Count } from "@postern/core/rules";
import { Schema } from "effect";
import { APPROVAL_ID } from "../examples/approvals.ts";
import { DRAFT_ID } from "../examples/drafts.ts";
import { Instant, Ok } from "./wire.ts";

/** A request to a person to approve the sending of a draft (spec 13.2). */
export const Approval = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the approval.", examples: [APPROVAL_ID] }),
  state: approvalFields.state.annotate({
    description:
      "`pending`: it waits for a decision. `stale`: the draft was changed, deleted or sent otherwise; `withdrawn`: the key " +
      "or grant that asked ended.",
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
    key: Schema.optionalKey(Schema.String.annotate({ description: "Id of the service key that asks." })),
    grant: Schema.optionalKey(Schema.String.annotate({ description: "Id of the agent's grant that asks." })),
    name: Schema.String.annotate({ description: "Name of the key or grant." }),
  }).annotate({ description: "Who asks." }),
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
  createdAt: Instant.annotate({ description: "When it was asked for." }),
  expiresAt: Instant.annotate({ description: "When it expires, 7 days later." }),
  decidedAt: Schema.NullOr(Instant).annotate({ description: "When it got its final state; null before." }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why a person denied it; null otherwise." }),
}).annotate({ identifier: "Approval", description: "A request to a person to approve the sending of a draft." });

/** The answer to a request to send that needs an approval. */
export const ApprovalAsked = Schema.Struct({ ok: Ok, approval: Approval }).annotate({
  identifier: "ApprovalAsked",
  description: "Nothing was sent yet: a person is asked to approve the message.",
  httpApiStatus: 202,
});
