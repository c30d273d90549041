import type { MailCredential } from "@postern/core/auth";
import { Redacted } from "effect";

/** Whether IMAP can transmit a credential (RFC 4616, 2); no server has another one. */
export const isTransmittable = ({ username, password }: MailCredential): boolean =>
  [username, Redacted.value(password)].every((text) => text !== "" && !text.includes("\0"));
