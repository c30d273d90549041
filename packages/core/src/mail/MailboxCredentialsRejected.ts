import { Schema } from "effect";

/** The mail server refused the credential we keep: nothing goes upstream until a new sign-in (401, spec 3). */
export class MailboxCredentialsRejected extends Schema.TaggedError<MailboxCredentialsRejected>()(
  "MailboxCredentialsRejected",
  {},
) {}
