import { Schema } from "effect";

const Text = Schema.String;
const Truncated = Schema.optionalKey(Schema.Literal(true));

const APPROVAL_FIELDS = {
  approvalId: Text,
  draftId: Text,
  /** The key or the grant that asks. */
  by: Schema.Struct({ key: Schema.optionalKey(Text), grant: Schema.optionalKey(Text), name: Text }),
  subject: Text,
};
const SAMPLE = {
  approvalId: "apr_6Ja34Dr7XnZ1G-uuezwBXw",
  draftId: "dft_0nG1YJ8bQm2Z7kXw5tRc9A",
  by: { key: "Zk3q8VbnT0eLr2Wd", name: "Assistant" },
  subject: "Hello",
};

/** The events of approvals (spec 13.2). */
export const APPROVAL_EVENTS = {
  "approval.requested": {
    meaning: "An agent asks a person to approve the sending of a draft.",
    data: Schema.Struct({ ...APPROVAL_FIELDS, recipients: Schema.Array(Text), truncated: Truncated }),
    sample: { ...SAMPLE, recipients: ["friend@example.com"] },
  },
  "approval.decided": {
    meaning: "An approval was approved, denied or withdrawn, expired, or became stale because the draft changed.",
    data: Schema.Struct({
      ...APPROVAL_FIELDS,
      state: Schema.Literals(["approved", "denied", "expired", "stale", "withdrawn"]),
      /** The person's reason for a denial; otherwise null. */
      reason: Schema.NullOr(Text),
      truncated: Truncated,
    }),
    sample: { ...SAMPLE, state: "denied", reason: "Not to them" },
  },
} as const;
