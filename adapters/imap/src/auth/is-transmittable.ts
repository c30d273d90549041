import { type MailCredential, secretOf } from "@postern/core/auth";
import { Redacted } from "effect";

/** Whether IMAP can transmit a credential (RFC 4616, 2); no server has another one. */
export const isTransmittable = (credential: MailCredential): boolean =>
  [credential.username, Redacted.value(secretOf(credential))].every((text) => text !== "" && !text.includes("\0"));
