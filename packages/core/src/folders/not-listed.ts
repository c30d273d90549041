import { MailServerError } from "../mail/index.ts";

/** Returns the error for a created folder that the server does not list. */
export const notListed = (path: string): MailServerError =>
  new MailServerError({ reason: "protocol", operation: "list", detail: `${path} was created but is not listed` });
