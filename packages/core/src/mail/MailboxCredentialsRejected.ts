import { Schema } from "effect";

/** The mail server refused the stored credential: nothing is sent to it until a new sign-in (401, spec 3). */
export class MailboxCredentialsRejected extends Schema.TaggedError<MailboxCredentialsRejected>()(
  "MailboxCredentialsRejected",
  {},
) {}
