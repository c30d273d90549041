import { keyFields } from "@postern/core/rules";
import { Schema } from "effect";

const { to, perDay, approval } = keyFields.sendPolicy.fields;

/** The policy that limits what a key or a grant sends without a person's approval (spec 13.1). */
export const SendPolicy = Schema.Struct({
  to: to.annotate({
    description:
      "Recipients: addresses, domains as `@domain`, and `thread` for people to whom the owner wrote in the conversation.",
  }),
  perDay: perDay.annotate({ description: "Maximum number of messages sent or put up for approval in 24 hours." }),
  approval: approval.annotate({
    description:
      "`always`: every message needs an approval; `outside`: only a message outside of the policy needs one; " +
      "`never`: a message outside of the policy is refused.",
  }),
}).annotate({ identifier: "SendPolicy", description: "What a key may send without a person's approval." });
