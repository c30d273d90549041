import { MailServerError } from "../mail/index.ts";

/** Returns the error for a folder that the server has created but does not list. */
export const notListed = (path: string): MailServerError =>
  new MailServerError({ reason: "protocol", operation: "list", detail: `${path} was created but is not listed` });
