import { keyFields } from "@postern/core/rules";
import { Schema } from "effect";

const { to, perDay, approval } = keyFields.sendPolicy.fields;

/** What a key or a grant may send without a person's approval (spec 13.1). */
export const SendPolicy = Schema.Struct({
  to: to.annotate({
    description:
      "Recipients: addresses, domains as `@domain`, and `thread` for those whom the owner wrote to in the conversation.",
  }),
  perDay: perDay.annotate({ description: "Messages that may be sent or asked for in 24 hours." }),
  approval: approval.annotate({
    description:
      "`always`: every sending asks a person; `outside`: what is outside of the policy asks; `never`: it is refused.",
  }),
}).annotate({ identifier: "SendPolicy", description: "What a key may send without a person's approval." });
