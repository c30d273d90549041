import { Schema } from "effect";

/** The mail server refused the stored credential. Until a new sign-in, nothing is sent to the server (401, spec 3). */
export class MailboxCredentialsRejected extends Schema.TaggedError<MailboxCredentialsRejected>()(
  "MailboxCredentialsRejected",
  {},
) {}
